"""Fails when a test was skipped, or expected to fail, that the list does not name: JUNIT_XML LIST."""

import sys
import xml.etree.ElementTree as ET
from pathlib import Path


def skipped(junit: Path) -> dict[str, str]:
    """Each test that gave no verdict, with the reason it gave."""
    cases = ET.parse(junit).iter("testcase")
    return {
        f"{case.get('classname')}::{case.get('name')}": skip.get("message", "")
        for case in cases
        if (skip := case.find("skipped")) is not None
    }


def listed(file: Path) -> set[str]:
    """The names in the list, comments and blank lines left out."""
    lines = (line.strip() for line in file.read_text(encoding="utf-8").splitlines())
    return {line for line in lines if line and not line.startswith("#")}


def main(junit: str, names: str) -> int:
    """Print what was skipped without leave; 1 if there was any."""
    allowed = listed(Path(names))
    unlisted = {name: why for name, why in skipped(Path(junit)).items() if name not in allowed}
    for name, why in unlisted.items():
        print(f"skipped, and not listed in {names}: {name} ({why})", file=sys.stderr)
    return 1 if unlisted else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
