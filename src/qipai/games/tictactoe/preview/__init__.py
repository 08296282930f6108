"""The preview of shared links: names and tags in each language, and the board as shapes.

`sprites.png` is drawn by `python -m tools.preview_sprites`.
"""
