"""The source of the product as syntax trees, for tests of how it is written. Each file is parsed once for all of them."""

import ast
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import waylog

PRODUCT = Path(waylog.__file__).parent


@cache
def parse_product() -> Mapping[Path, ast.Module]:
    """Every module by its path inside the package, in the order of the paths."""
    return {
        path.relative_to(PRODUCT): ast.parse(path.read_text(encoding="utf-8")) for path in sorted(PRODUCT.rglob("*.py"))
    }


@cache
def nodes_of(tree: ast.Module) -> tuple[ast.AST, ...]:
    """All nodes of a module, as `ast.walk` yields them."""
    return tuple(ast.walk(tree))
