"""A recording of an explorer, and the page that plays it.

The page is one file, or a file beside scripts that several pages share; it needs no
network. The framework's scripts are those of the folder ``scripts``, the pictures' are found where
their packages are installed.
"""

from __future__ import annotations

import base64
import gzip
import json
import re
import sys
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from importlib import metadata
from pathlib import Path

from rocviz.core.base.validation import describe
from rocviz.files import output_path, write_file

HERE = Path(__file__).parent
PLAYER = HERE.parent / "bundles" / "page.js"
#: The framework's script, which defines the module "@jupyter-widgets/base".
FRAMEWORK_SCRIPT = HERE / "scripts" / "base.js.gz"
#: Packages whose wheels contain a script that defines a module, as the classic notebook loads it.
INSTALLED_SCRIPTS = ("bqscales", "bqplot")


def framework_script() -> str:
    """Read the script of others that ships with rocviz."""
    return gzip.decompress(FRAMEWORK_SCRIPT.read_bytes()).decode("utf-8")


def installed_script(package: str) -> str:
    """Read an installed package's script for pages, or raise FileNotFoundError."""
    ending = f"share/jupyter/nbextensions/{package}/index.js"
    places = [Path(sys.prefix) / ending]
    for file in metadata.files(package) or ():
        if file.as_posix().endswith(ending):
            places.insert(0, Path(str(file.locate())))
    for place in places:
        if place.exists():
            return place.read_text(encoding="utf-8")
    raise FileNotFoundError(f"{package} was installed without {ending}, which the page needs.")


@lru_cache(maxsize=1)
def drawing_scripts() -> tuple[bytes, ...]:
    """Compress the scripts that draw pictures where nothing else can, for ``manager.js``."""
    source_map = re.compile(r"\n//# sourceMappingURL=\S*")
    packed = [FRAMEWORK_SCRIPT.read_bytes()]
    for name in INSTALLED_SCRIPTS:
        text = source_map.sub("", installed_script(name))
        packed.append(gzip.compress(text.encode(), 6, mtime=0))
    return tuple(packed)


def drawing_script() -> str:
    """Write the script that brings a page the scripts that draw, where no kernel can send them."""
    packed = [base64.b64encode(part).decode("ascii") for part in drawing_scripts()]
    return f'globalThis[Symbol.for("rocviz.scripts")] = {json.dumps(packed)};\n'


def all_scripts() -> dict[str, str]:
    """Collect the scripts of a page by file name, in the order in which it needs them."""
    return {"drawing.js": drawing_script(), "player.js": PLAYER.read_text(encoding="utf-8")}


def _inline(script: str) -> str:
    """Escape tags in a script that is embedded in a page."""
    return re.sub(r"<(?=/script|!--)", r"\\x3C", script, flags=re.IGNORECASE)


@dataclass(frozen=True)
class Recording:
    """Recorded states of an explorer, to be shown without a kernel.

    Made by :meth:`.Explorer.record` or :meth:`.Story.record`.

    Parameters
    ----------
    title : str
        Title of its page.
    sentence : str
        The sentence that it shows at first.
    n_states : int
        Number of states.
    packed : bytes
        The values of all states, compressed.

    Examples
    --------
    >>> from rocviz import ROCExplorer
    >>> explorer = ROCExplorer([0, 1, 0, 1, 1], [0.1, 0.4, 0.35, 0.8, 0.9], panels=["roc"])
    >>> explorer.record(threshold=[0.2, 0.5, 0.8])
    Recording of ROCExplorer: 3 states, ... kB
    >>> explorer.close()
    """

    title: str
    sentence: str
    n_states: int
    packed: bytes = field(repr=False)

    def __repr__(self) -> str:
        size = max(round(self.n_bytes / 1000), 1)
        return f"Recording of {self.title}: {self.n_states:,} states, {size:,} kB"

    @property
    def n_bytes(self) -> int:
        """Compressed size in bytes."""
        return len(self.packed)

    def to_html(
        self,
        path: str | Path,
        *,
        scripts: str | None = None,
        url: str | None = None,
        picture: bytes | None = None,
    ) -> Path:
        """Write a page in which the recorded controls move without Python or a network.

        Parameters
        ----------
        path : str or Path
            Ending in ``.html``.
        scripts : str, optional
            A folder beside the page, such as ``"scripts"``, for the scripts: pages that name the
            same folder share it. By default they are in the page, which is then one file of 0.6 MB.
        url : str, optional
            The address that the page is to have on the web, so that other sites can show a link to
            it with its title and picture.
        picture : bytes, optional
            The picture, a PNG, which is written beside the page; its address differs from the
            page's in the ending only.

        Returns
        -------
        Path
            Of the page.

        Raises
        ------
        ValueError
            If the path has another ending, ``scripts`` names no folder beside the page, or
            ``url`` is not an address.
        OSError
            If a file cannot be written; existing ones are then as they were.
        """
        path = output_path(path, (".html", ".htm"))
        head = _head(self.title, self.sentence, url, has_picture=picture is not None)
        needed = all_scripts()
        beside: dict[str, str | bytes] = {}
        if scripts is None:
            tags = [f"<script>{_inline(text)}</script>" for text in needed.values()]
        else:
            is_path = isinstance(scripts, str) and re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", scripts)
            if not is_path or ".." in scripts.split("/"):
                raise ValueError(
                    f"scripts must name a folder beside the page; got {describe(scripts)}."
                )
            beside = {f"{scripts.rstrip('/')}/{name}": text for name, text in needed.items()}
            tags = [f'<script src="{name}"></script>' for name in beside]
        style = (HERE / "page.css").read_text(encoding="utf-8")
        packed = base64.b64encode(self.packed).decode("ascii")
        page = (
            '<!DOCTYPE html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width">'
            f"<title>{escape(self.title)}</title>{head}<style>{style}</style></head><body>"
            f'<main id="explorer"><p>{escape(self.sentence)}</p>'
            "<noscript>This page needs JavaScript.</noscript></main>"
            f'<script id="recording" type="text/plain">{packed}</script>{"".join(tags)}'
            "</body></html>\n"
        )
        if picture is not None:
            beside[path.with_suffix(".png").name] = picture
        return write_file(path, page, beside=beside)


def _head(title: str, words: str, url: str | None, *, has_picture: bool) -> str:
    """Write the metadata from which other sites preview a link to the page."""
    entries = {"og:type": "website", "og:title": title, "og:description": words}
    if url is not None:
        if not isinstance(url, str) or not re.fullmatch(r"https?://[^\s\"'<>]+", url):
            raise ValueError(
                f"url must be an address of the web, https://...; got {describe(url)}."
            )
        entries["og:url"] = url
        if has_picture:
            entries["og:image"] = re.sub(r"(\.html?)?$", ".png", url, count=1)
    tags = [f'<meta property="{name}" content="{escape(text)}">' for name, text in entries.items()]
    card = "summary_large_image" if "og:image" in entries else "summary"
    return (
        f'<meta name="description" content="{escape(words)}">{"".join(tags)}'
        f'<meta name="twitter:card" content="{card}">'
    )
