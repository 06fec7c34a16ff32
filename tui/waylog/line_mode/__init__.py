"""Line mode: play a campaign with typed lines and read it as sentences. Nothing here draws, and nothing imports Textual."""
