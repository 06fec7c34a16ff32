"""TOML files that people edit by hand: parse them strictly, change one value, keep every other byte. It imports nothing of Waylog.

Edits are cut into the text at the value's own place and proved: the new text is parsed and compared with what was meant, comments are
counted, and every other byte is compared. TOML is read by tomli under 2.4: the standard library's parser, compiled, with places as values.

Modules with named tuples lack `from __future__ import annotations`: the standard `NamedTuple` would compile the text of each
annotation, and the first compilation of a process alone takes two milliseconds.
"""
