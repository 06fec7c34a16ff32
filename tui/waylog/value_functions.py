"""Functions of dataclasses and named tuples with up to a dozen fields, for `values.py`, which gives each class a copy with its own names.

They are written out, so that they are compiled when Waylog is installed and not at each start. The functions of longer classes are
compiled at their first use.
"""

# ruff: noqa: D103, F821 - the names are the globals of each class's copy
# mypy: disable-error-code="name-defined, no-untyped-def, no-untyped-call"


def init_0(self):
    pass


def init_1(self, value_0):
    set_0(self, value_0)


def init_2(self, value_0, value_1):
    set_0(self, value_0)
    set_1(self, value_1)


def init_3(self, value_0, value_1, value_2):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)


def init_4(self, value_0, value_1, value_2, value_3):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)


def init_5(self, value_0, value_1, value_2, value_3, value_4):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)
    set_4(self, value_4)


def init_6(self, value_0, value_1, value_2, value_3, value_4, value_5):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)
    set_4(self, value_4)
    set_5(self, value_5)


def init_7(self, value_0, value_1, value_2, value_3, value_4, value_5, value_6):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)
    set_4(self, value_4)
    set_5(self, value_5)
    set_6(self, value_6)


def init_8(self, value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)
    set_4(self, value_4)
    set_5(self, value_5)
    set_6(self, value_6)
    set_7(self, value_7)


def init_9(self, value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7, value_8):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)
    set_4(self, value_4)
    set_5(self, value_5)
    set_6(self, value_6)
    set_7(self, value_7)
    set_8(self, value_8)


def init_10(self, value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7, value_8, value_9):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)
    set_4(self, value_4)
    set_5(self, value_5)
    set_6(self, value_6)
    set_7(self, value_7)
    set_8(self, value_8)
    set_9(self, value_9)


def init_11(self, value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7, value_8, value_9, value_10):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)
    set_4(self, value_4)
    set_5(self, value_5)
    set_6(self, value_6)
    set_7(self, value_7)
    set_8(self, value_8)
    set_9(self, value_9)
    set_10(self, value_10)


def init_12(
    self, value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7, value_8, value_9, value_10, value_11
):
    set_0(self, value_0)
    set_1(self, value_1)
    set_2(self, value_2)
    set_3(self, value_3)
    set_4(self, value_4)
    set_5(self, value_5)
    set_6(self, value_6)
    set_7(self, value_7)
    set_8(self, value_8)
    set_9(self, value_9)
    set_10(self, value_10)
    set_11(self, value_11)


def new_0(cls):
    return make(cls, ())


def new_1(cls, value_0):
    return make(cls, (value_0,))


def new_2(cls, value_0, value_1):
    return make(cls, (value_0, value_1))


def new_3(cls, value_0, value_1, value_2):
    return make(cls, (value_0, value_1, value_2))


def new_4(cls, value_0, value_1, value_2, value_3):
    return make(cls, (value_0, value_1, value_2, value_3))


def new_5(cls, value_0, value_1, value_2, value_3, value_4):
    return make(cls, (value_0, value_1, value_2, value_3, value_4))


def new_6(cls, value_0, value_1, value_2, value_3, value_4, value_5):
    return make(cls, (value_0, value_1, value_2, value_3, value_4, value_5))


def new_7(cls, value_0, value_1, value_2, value_3, value_4, value_5, value_6):
    return make(cls, (value_0, value_1, value_2, value_3, value_4, value_5, value_6))


def new_8(cls, value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7):
    return make(cls, (value_0, value_1, value_2, value_3, value_4, value_5, value_6, value_7))


INITS = (init_0, init_1, init_2, init_3, init_4, init_5, init_6, init_7, init_8, init_9, init_10, init_11, init_12)
NEWS = (new_0, new_1, new_2, new_3, new_4, new_5, new_6, new_7, new_8)
