"""Formulas as MathML, which browsers draw without a script or a network.

A math renderer for Sphinx on top of the converter that docutils brings.
"""

from docutils.nodes import SkipNode
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.util import logging

logger = logging.getLogger(__name__)


def _put(writer, node, as_block):
    tex = node.astext()
    try:
        mathml = tex2mathml(tex, as_block=as_block)
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
