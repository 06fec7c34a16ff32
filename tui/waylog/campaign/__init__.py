"""A campaign is a folder of files that people edit by hand: read strictly, written without touching what they wrote."""
