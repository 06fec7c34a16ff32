"""The clauses in which Veil Runners of 2026 differs from the CORE edition; all others are the CORE edition's."""

from collections.abc import Mapping
from types import MappingProxyType

CLAUSES: Mapping[str, str] = MappingProxyType(
    {
        "VN-01": "Four dice lie in the ship's three CORE systems, any number in each, even none or all four.",
        "VN-02": "With no dice to roll, throw two and let the worse one speak. Two 6s are then a Success and no more.",
        "VN-03": "A Standard roll never hurts. A Risky one hurts on a Fiasco, a Desperate one on a drawback too.",
        "VN-04": (
            "In a group roll every Fiasco first uses up one Critical, and the pair make a Success. If any Success is then on "
            "the table the group has it, with a drawback where a Fiasco remains. If none is, the best roll speaks for all."
        ),
        "VN-05": "Six dice are the most that one throw can have. Any beyond that stay in the hand, and the roll says so.",
        "VN-06": "A roll that the rules make Desperate stays so, even when the wayfinder calls it Risky.",
    }
)
