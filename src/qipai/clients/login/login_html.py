"""HTML of the login page in three languages."""

from collections.abc import Mapping, Sequence
from html import escape
from types import MappingProxyType
from typing import Final, NamedTuple

from qipai.hall.people.identity import Login

EMPTY: Final = "請輸入使用者名稱"
LONG: Final = "使用者名稱不可超過 10 個字元"
RESERVED: Final = "此名稱無法使用"
NO_ICON: Final = "請選擇一個圖示"
BAD_ICON: Final = "所選圖示無效，請重新選擇"


class Texts(NamedTuple):
    """Texts of one language; error texts are fixed, and other languages add a translation."""

    title: str
    name: str
    limit: str
    icon: str
    enter: str
    more: str
    now: str
    change: str
    leave: str
    back: str
    meanings: Mapping[str, str]


def _means(*texts: str) -> Mapping[str, str]:
    return MappingProxyType(dict(zip((EMPTY, LONG, RESERVED, NO_ICON, BAD_ICON), texts, strict=False)))


WORDS: Final = MappingProxyType({
    "zh-Hant": Texts(
        "登入", "使用者名稱", "最多 10 個字", "圖示", "進入", "換一批圖示",
        "目前登入的是", "在下方更改後，會以新的身分入座。", "登出", "回到大廳", _means(),
    ),
    "zh-Hans": Texts(
        "登录", "用户名", "最多 10 个字", "图标", "进入", "换一批图标",
        "当前登录的是", "在下方更改后，会以新的身份入座。", "退出登录", "回到大厅",
        _means(
            "请输入用户名", "用户名不能超过 10 个字符", "此名称无法使用",
            "请选择一个图标", "所选图标无效，请重新选择",
        ),
    ),
    "en": Texts(
        "Log in", "Name", "At most 10 characters", "Icon", "Enter", "Other icons",
        "You are logged in as", "If you change it below, you sit down as somebody new.", "Log out",
        "Back to the lobby",
        _means(
            "Please enter a name", "The name may have 10 characters at most", "This name cannot be used",
            "Please choose an icon", "This icon is not one of ours, please choose again",
        ),
    ),
})  # fmt: skip


class Form(NamedTuple):
    """The submitted fields, and what is wrong with them."""

    name: str = ""
    icon: str = ""
    offered: Sequence[str] = ()
    name_error: str = ""
    icon_error: str = ""


def language_of(wanted: str) -> str:
    """Return the first supported language of an Accept-Language header."""
    ranked: list[tuple[float, str]] = []
    for part in wanted.lower().split(",")[:16]:
        tag, _, weight = part.partition(";")
        try:
            ranked.append((-float(weight.partition("=")[2] or 1), tag.strip()))
        except ValueError:
            continue
    for _, tag in sorted(ranked, key=lambda pair: pair[0]):
        language, *rest = tag.split("-")
        if language == "en":
            return "en"
        if language in {"zh", "yue"}:
            traditional = language == "yue" or not {"hant", "tw", "hk", "mo"}.isdisjoint(rest)
            return "zh-Hant" if traditional and "hans" not in rest else "zh-Hans"
    return "en" if ranked and wanted.strip() not in {"", "*"} else "zh-Hant"


def page(language: str, form: Form, login: Login | None) -> str:
    """Return the page; it shows the name of a client that is logged in."""
    words, shown = WORDS[language], "".join(form.offered)
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{words.title} · Qipai 棋牌</title>
<link rel="icon" href="/favicon.svg">
<link rel="stylesheet" href="/login/style.css">
</head>
<body>
<header>
<a class="brand" href="/">
<img src="/favicon.svg" alt="" width="32" height="32">Qipai <span lang="zh">棋牌</span>
</a>
</header>
<main>
<div class="card">
<h1>{words.title}</h1>
{_who(words, login)}
<form method="post" action="/login" novalidate>
<div class="field">
<label for="username">{words.name}</label>
<p class="hint" id="username-limit">{words.limit}</p>
<input id="username" name="username" value="{escape(form.name)}" required dir="auto"
 autocomplete="nickname" autocapitalize="none" spellcheck="false" enterkeyhint="go"
 aria-describedby="username-limit username-error"{_wrong(form.name_error, focus=True)}>
{_error("username", form.name_error, words)}
</div>
<fieldset aria-describedby="icon-error">
<legend>{words.icon}</legend>
<div class="icons">
{_radios(form)}
</div>
{_error("icon", form.icon_error, words)}
</fieldset>
<input type="hidden" name="shown" value="{shown}">
<button class="primary">{words.enter}</button>
<button class="quiet" name="more" value="1">{words.more}</button>
</form>
</div>
<p class="back"><a href="/">{words.back}</a></p>
</main>
</body>
</html>
"""


def _who(words: Texts, login: Login | None) -> str:
    if login is None:
        return ""
    return f"""<div class="who">
<span class="face" aria-hidden="true">{escape(login.icon)}</span>
<p>{words.now} <strong><bdi>{escape(login.name)}</bdi></strong></p>
<form method="post" action="/logout"><button>{words.leave}</button></form>
</div>
<p class="hint">{words.change}</p>"""


def _radios(form: Form) -> str:
    focused = "" if form.name_error else form.offered[0]
    return "\n".join(
        f'<label><input type="radio" name="icon" value="{icon}" required'
        f"{' checked' if icon == form.icon else ''}{_wrong(form.icon_error, focus=icon == focused)}>"
        f"<span>{icon}</span></label>"
        for icon in form.offered
    )


def _wrong(error: str, *, focus: bool) -> str:
    marks = ' aria-invalid="true"' + (" autofocus" if focus else "")
    return marks if error else ""


def _error(field: str, error: str, words: Texts) -> str:
    if not error:
        return ""
    meaning = f" <small>{words.meanings[error]}</small>" if error in words.meanings else ""
    return (
        f'<p class="error" id="{field}-error" role="alert"><span lang="zh-Hant">{error}</span>{meaning}</p>'
    )


STYLE: Final = """/* Paper, ink and a red seal, as on the page of the games. */
:root {
  --paper: #f6f2e9; --card: #fffdf8; --ink: #24221d; --soft: #655f53; --line: #dbd2c0; --edge: #8f8776;
  --seal: #a8322a; --seal-deep: #8c261f; --on-seal: #fffaf2; --red: #a8322a; --jade: #1c6653; --wash: #f6e3dc;
  --shade: 0 1px 2px rgb(60 45 20 / 8%), 0 6px 20px rgb(60 45 20 / 6%);
  --serif: "Iowan Old Style", "Palatino Linotype", Palatino, "Songti TC", "Noto Serif CJK TC", Georgia, serif;
  --sans: -apple-system, "Segoe UI", "PingFang TC", "Microsoft JhengHei", "Noto Sans CJK TC", system-ui,
    sans-serif;
  color-scheme: light dark;
}
:root:lang(zh-Hans) {
  --serif: "Iowan Old Style", Palatino, "Songti SC", "Noto Serif CJK SC", Georgia, serif;
  --sans: -apple-system, "Segoe UI", "PingFang SC", "Microsoft YaHei", "Noto Sans CJK SC", system-ui,
    sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161714; --card: #20221e; --ink: #ece7da; --soft: #aaa393; --line: #3a3c35; --edge: #75766a;
    --seal: #b8433a; --seal-deep: #cb5449; --on-seal: #fff8ee; --red: #ec8577; --jade: #74c6aa;
    --wash: #3a2421; --shade: 0 1px 2px rgb(0 0 0 / 40%);
  }
}
*, ::before, ::after { box-sizing: border-box }
html { background: var(--paper); color: var(--ink); font: 100%/1.5 var(--sans) }
body { margin: 0; overflow-wrap: anywhere }
header { max-width: 74rem; margin: 0 auto; padding: .6rem 1rem }
main { max-width: 28rem; margin: 0 auto; padding: clamp(0rem, 6vh, 4rem) 1rem 3rem }
.brand {
  display: inline-flex; align-items: center; gap: .6rem; min-height: 2.75rem;
  color: inherit; font: 600 1.2rem/1 var(--serif); text-decoration: none;
}
.brand span { margin-left: -.3rem; color: var(--soft); font-weight: 400 }
a { color: var(--jade) }
.back { margin-top: 1rem; text-align: center }
.back a { display: inline-block; padding: .6rem }
.card {
  padding: 1.5rem; border: 1px solid var(--line); border-radius: 14px;
  background: var(--card); box-shadow: var(--shade);
}
h1 { margin: 0 0 1rem; font: 600 1.5rem/1.25 var(--serif) }
p { margin: 0 }
label, legend { padding: 0; font-weight: 600 }
fieldset { min-width: 0; margin: 1.25rem 0 1.5rem; padding: 0; border: 0 }
input, button {
  width: 100%; min-height: 2.75rem; padding: .4rem 1rem; border: 1px solid var(--edge); border-radius: 10px;
  background: var(--card); color: inherit; font: inherit;
}
.field { display: flex; flex-wrap: wrap; align-items: baseline; justify-content: space-between }
.field input { margin-top: .35rem; background: var(--paper) }
.field input[aria-invalid] { border-color: var(--red) }
button { font-weight: 600; cursor: pointer; touch-action: manipulation }
button:hover { border-color: var(--ink) }
.primary { border-color: var(--seal); background: var(--seal); color: var(--on-seal) }
.primary:hover { border-color: var(--seal-deep); background: var(--seal-deep) }
.quiet { margin: .5rem 0 -.75rem; border-color: transparent; background: none; color: var(--jade) }
.quiet:hover { border-color: transparent; text-decoration: underline }
.hint { color: var(--soft); font-size: .875rem }
.error { width: 100%; margin-top: .35rem; color: var(--red); font-weight: 600 }
.error small { display: block; font-weight: 400 }
.icons { display: grid; grid-template-columns: repeat(5, 1fr); gap: .5rem; margin-top: .35rem }
.icons label { position: relative; cursor: pointer }
.icons input { position: absolute; inset: 0; height: 100%; margin: 0; opacity: 0; cursor: inherit }
.icons span {
  display: grid; place-items: center; aspect-ratio: 1; border: 1px solid var(--line); border-radius: 10px;
  background: var(--paper); font-size: 1.75rem; line-height: 1;
}
.icons label:hover span { border-color: var(--edge) }
.icons :checked + span { border: 2px solid var(--seal); background: var(--wash) }
.icons :checked + span::after {
  content: "✓"; position: absolute; right: -.4rem; top: -.4rem; width: 1.25rem; border-radius: 50%;
  background: var(--seal); color: var(--on-seal); font: 700 .75rem/1.25rem var(--sans); text-align: center;
}
:focus-visible, .icons :focus-visible + span { outline: 3px solid var(--jade); outline-offset: 2px }
.who { display: flex; align-items: center; gap: .75rem; margin-bottom: .5rem }
.who p { flex: 1; line-height: 1.3 }
.who strong { display: block }
.who button { width: auto }
.who + .hint { margin-bottom: 1.25rem; padding-bottom: 1.25rem; border-bottom: 1px solid var(--line) }
.face { font-size: 2rem; line-height: 1 }
@media (max-height: 40rem) { header { padding-block: .2rem } main { padding-top: 0 } }
"""
