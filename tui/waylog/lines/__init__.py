"""Line mode: a campaign played by typed lines and read as sentences. Nothing here draws, and nothing imports Textual."""
