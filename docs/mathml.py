"""Formulas as MathML, which browsers draw without a script or a network.

A math renderer for Sphinx on top of the converter that docutils brings.
"""

import re

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

logger = logging.getLogger(__name__)
_FIRST = re.compile(r"(\\[cdt]?frac|\\sqrt|[\^_])\s*(\d)")
_SECOND = re.compile(r"(\\[cdt]?frac\s*(?:\{[^{}]*\}|[A-Za-z]))\s*(\d)")


def converted(tex, as_block):
    r"""Convert a formula.

    For TeX an argument without braces is one digit, so that ``\tfrac23`` is two thirds; for the
    converter it is all digits that follow.
    """
    return tex2mathml(_SECOND.sub(r"\1{\2}", _FIRST.sub(r"\1{\2}", tex)), as_block=as_block)


def _put(writer, node, as_block):
    tex = node.astext()
    try:
        mathml = converted(tex, as_block)
    except MathError as error:
        logger.warning("formula %r: %s", tex, error, location=node)
        mathml = f"<code>{writer.encode(tex)}</code>"
    writer.body.append(f'<div class="formula" tabindex="0">{mathml}</div>' if as_block else mathml)


def _inline(writer, node):
    _put(writer, node, as_block=False)
    raise SkipNode


def _block(writer, node):
    _put(writer, node, as_block=True)
    raise SkipNode


def setup(app):
    """Register the renderer."""
    app.add_html_math_renderer("mathml", (_inline, None), (_block, None))
    app.config.html_math_renderer = "mathml"
    return {"parallel_read_safe": True, "parallel_write_safe": True}
