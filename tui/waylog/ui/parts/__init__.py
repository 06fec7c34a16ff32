"""The parts of the main screen's window: tray, bars, clock strip and hints."""
