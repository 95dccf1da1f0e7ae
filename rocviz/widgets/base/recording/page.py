"""A page that plays a recording: one file, or a file beside scripts that several pages share.

It asks the network for nothing. The framework's scripts are those of the folder ``scripts``, the
pictures' are found where their packages are installed. Plain text; knows no widget.
"""

from __future__ import annotations

import base64
import gzip
import re
import sys
from html import escape
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
PLAYER = HERE.parent / "bundles" / "page.js"
#: Modules of the framework, by the file they are in.
FRAMEWORK = {"base": "@jupyter-widgets/base", "controls": "@jupyter-widgets/controls"}
#: Packages whose wheels bring a script for the notebook of old, a module of require.js.
INSTALLED = ("bqscales", "bqplot", "anywidget")


def framework_script(name: str) -> str:
    """Return one of the scripts that are part of rocviz."""
    packed = (HERE / "scripts" / f"{name}.js.gz").read_bytes()
    return gzip.decompress(packed).decode("utf-8")


def installed_script(package: str) -> str:
    """Return the script that an installed package brings for pages, or raise FileNotFoundError."""
    ending = f"share/jupyter/nbextensions/{package}/index.js"
    places = [Path(sys.prefix) / ending]
    for file in metadata.files(package) or ():
        if file.as_posix().endswith(ending):
            places.insert(0, Path(str(file.locate())))
    for place in places:
        if place.exists():
            return place.read_text(encoding="utf-8")
    raise FileNotFoundError(f"{package} was installed without {ending}, which the page needs.")


def all_scripts() -> dict[str, str]:
    """Return every script a page needs by its file name; ``require`` comes first."""
    scripts = {name: framework_script(name) for name in ("require", *FRAMEWORK)}
    scripts |= {name: installed_script(name) for name in INSTALLED}
    scripts["player"] = PLAYER.read_text(encoding="utf-8")
    return {f"{name}.js": _without_map(text) for name, text in scripts.items()}


def _without_map(script: str) -> str:
    return re.sub(r"\n//# sourceMappingURL=\S*", "", script)


def _inline(script: str) -> str:
    """Return a script as it may stand inside a page: nothing in it ends or opens a tag."""
    safe = re.sub(r"<(?=/script|!--)", r"\\x3C", script, flags=re.IGNORECASE)
    return f"<script>{safe}</script>"


def _named(name: str, script: str) -> str:
    """Return a module of require.js that knows its own name, as it must outside of a file."""
    before = f"((make) => {{ const define = (needs, start) => make({name!r}, needs, start);"
    return f"{before} define.amd = true;\n{script}\n}})(window.define);"


def _scripts_inside(scripts: dict[str, str]) -> str:
    made = []
    for file, script in scripts.items():
        name = file.removesuffix(".js")
        made.append(_inline(_named(name, script) if name in INSTALLED else script))
    return "".join(made)


def _scripts_beside(folder: str) -> str:
    paths = {module: file for file, module in FRAMEWORK.items()}
    paths |= {name: name for name in INSTALLED}
    listed = ",".join(f'"{module}":"{file}"' for module, file in paths.items())
    base = escape(folder.rstrip("/") or ".")
    return (
        f'<script src="{base}/require.js"></script>'
        f'<script>require.config({{baseUrl:"{base}",paths:{{{listed}}}}})</script>'
        f'<script src="{base}/player.js"></script>'
    )


def write_live_page(recording: Any, path: Path, scripts: str | None = None) -> Path:
    """Write the page of a recording, and return where it is.

    ``scripts`` is a folder beside the page, such as ``"scripts"`` or ``"../scripts"``, for scripts
    that several pages share; by default they are inside the page.
    """
    if path.suffix.lower() not in (".html", ".htm"):
        raise ValueError(f"path must end in .html; got {path.name!r}.")
    needed = all_scripts()
    if scripts is None:
        code = _scripts_inside(needed)
    else:
        if not re.fullmatch(r"[\w./-]+", scripts) or scripts.startswith("/"):
            raise ValueError(f"scripts must name a folder beside the page; got {scripts!r}.")
        folder = path.parent / scripts
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in needed.items():
            (folder / name).write_text(text, encoding="utf-8")
        code = _scripts_beside(scripts)
    style = (HERE / "page.css").read_text(encoding="utf-8")
    packed = base64.b64encode(recording.packed).decode("ascii")
    page = (
        '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>{escape(recording.title)}</title><style>{style}</style></head><body>"
        f'<main id="explorer"><p>{escape(recording.sentence)}</p>'
        "<noscript>This page needs JavaScript.</noscript></main>"
        f'<script id="recording" type="text/plain">{packed}</script>{code}</body></html>\n'
    )
    path.write_text(page, encoding="utf-8")
    return path
