"""What fills the window: one module and one `.tcss` a screen."""
