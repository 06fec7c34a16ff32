"""Fails unless a wheel holds the package with its starter kit, the examples and the themes, all of them inside `waylog/`; the man
page and the shells' completions, where they are looked for; and nothing else.
"""

import sys
import zipfile
from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
SOURCES = {"tui/waylog": "waylog", "campaigns/examples": "waylog/examples", "themes": "waylog/themes"}
SHARED = {
    "share/man/man1/waylog.1",
    "share/bash-completion/completions/waylog",
    "share/zsh/site-functions/_waylog",
    "share/fish/vendor_completions.d/waylog.fish",
}


def expected() -> set[str]:
    """The names in the wheel of every file in the source folders."""
    return {
        f"{target}/{file.relative_to(CHECKOUT / source).as_posix()}"
        for source, target in SOURCES.items()
        for file in (CHECKOUT / source).rglob("*")
        if file.is_file() and "__pycache__" not in file.parts
    }


def main(wheel: str) -> int:
    """Print what is missing or should not be there; 1 if there is any."""
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.split("/")[0].endswith(".dist-info")}
    data_folder = f"{'-'.join(Path(wheel).name.split('-')[:2])}.data/data"
    wanted = expected() | {f"{data_folder}/{name}" for name in SHARED}
    faults = [f"missing from the wheel: {name}" for name in sorted(wanted - names)]
    faults += [f"should not be in the wheel: {name}" for name in sorted(names - wanted)]
    for folder, suffix in (
        ("waylog/examples/", "/campaign.toml"),
        ("waylog/themes/", ".toml"),
        ("waylog/serve/page/", ".html"),
        ("waylog/kits/tables/", ".toml"),
    ):
        if not any(name.startswith(folder) and name.endswith(suffix) for name in names):
            faults.append(f"the wheel holds no {folder}…{suffix}")
    print(*faults, sep="\n", end="\n" if faults else "")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
