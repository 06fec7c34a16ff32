"""The Emissaries of Guenašk."""

from waylog.rules.systems.emissaries.clauses import CLAUSES
from waylog.rules.systems.emissaries.system import Emissaries

SYSTEM = Emissaries(
    id="emissaries",
    name="The Emissaries of Guenašk",
    about="Peacemakers among the stars: raise and see with dice that lie open",
    clauses=CLAUSES,
)
