"""The views of the main screen and the screens over it. A screen and its `.tcss` have one name."""
