"""Drawing: values in, styled lines out; and the base of all widgets that render their own lines."""
