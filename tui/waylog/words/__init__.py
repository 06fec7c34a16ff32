"""What Waylog says of a campaign, in plain text: the app's views and line mode share it. Nothing here draws."""
