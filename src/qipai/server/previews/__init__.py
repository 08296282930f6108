"""Previews of shared links: the tags in the page that messengers read, and the picture they show.

What a preview shows, a stranger with the link may see: `link_preview` decides that. How a game appears is in
the folder of the game. `font.otf` is made by `python -m tools.preview_font`; its licence is in `OFL.txt`.
"""
