"""QR codes as pictures in a page."""

import segno
from markupsafe import Markup


def picture(words: str, name: str) -> Markup:
    """The QR code of some words as an inline SVG that fills its box; ``name`` is what it is, for who cannot see it."""
    # Half of a smudged code can still be read: slips lie on dashboards.
    made = segno.make(words, error="h", micro=False)
    return Markup(made.svg_inline(scale=1, border=4, omitsize=True, title=name, svgclass="qr", lineclass=None))
