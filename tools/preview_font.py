"""Makes the font of the preview pictures from Noto Serif CJK; run `python -m tools.preview_font FILE`.

FILE is `NotoSerifCJK-Bold.ttc` (Debian package `fonts-noto-cjk`, SIL Open Font License 1.1). It needs the
package `fonttools`. The font has Latin letters, the characters of our own texts, and those of the names that
newcomers get; a name with other characters is left out of a picture.
"""

import re
import sys
from pathlib import Path
from typing import Final

from fontTools import subset
from fontTools.ttLib import TTCollection

ROOT: Final = Path(__file__).parents[1]
TARGET: Final = ROOT / "src" / "qipai" / "server" / "previews" / "font.otf"
_TRADITIONAL: Final = "Noto Serif CJK TC Bold"
_LATIN: Final = range(0x20, 0x180)
_MARKS: Final = "–—‘’“”…·×、。：，（）！？"
_CHINESE: Final = re.compile(r"[\u4e00-\u9fff]")


def main(source: str) -> None:
    """Write the font."""
    texts = [
        *ROOT.glob("src/qipai/games/*/preview/*_preview.py"),
        *ROOT.glob("web/src/i18n/zh-*/common.ts"),
        ROOT / "src" / "qipai" / "server" / "previews" / "preview_texts.py",
    ]
    chinese = {sign for text in texts for sign in _CHINESE.findall(text.read_text())}
    wanted = {*map(chr, _LATIN), *_MARKS, *chinese}
    font = next(each for each in TTCollection(source).fonts if each["name"].getDebugName(4) == _TRADITIONAL)
    options = subset.Options(layout_features=["kern"], hinting=False, name_IDs=[0, 1, 2, 13, 14])
    subsetter = subset.Subsetter(options)
    subsetter.populate(text="".join(wanted))
    subsetter.subset(font)
    font.save(TARGET)
    print(f"{TARGET.relative_to(ROOT)}: {len(wanted)} characters, {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main(sys.argv[1])
