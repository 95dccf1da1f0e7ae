"""Settings of the documentation; see CONTRIBUTING.md for how it is built."""

import json
import re
import sys
from pathlib import Path

import rocviz

sys.path.insert(0, str(Path(__file__).parent))

HERE = Path(__file__).parent

project = "rocviz"
author = "The rocviz developers"
copyright = "2026, The rocviz developers"
version = release = rocviz.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "citations",
    "mathml",
    "myst_nb",
]
exclude_patterns = ["_build", "notebooks/README.md", "**/.ipynb_checkpoints"]
templates_path = ["_templates"]

# The committed outputs are what readers see; the tests run the notebooks and compare.
nb_execution_mode = "off"
nb_merge_streams = True
nb_code_prompt_show = "Your prediction first, then the {type}"
# Without a kernel a widget shows nothing; each explorer has a picture of itself beside it.
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_block", "attrs_inline"]
myst_heading_anchors = 3
# <test:core/roc/test_auc.py#test_name> is a link to a test; tests/test_coverage_page.py follows it.
myst_url_schemes = {
    "http": None,
    "https": None,
    "mailto": None,
    "test": {
        "url": "https://github.com/rocviz/rocviz/blob/main/tests/{{path}}",
        "title": "{{fragment}}",
    },
    # <api:LexRank> is a link to a page of the API, from a page beside api.md.
    "api": {"url": "api/rocviz.{{path}}.html", "title": "{{path}}"},
}

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
# What a class of rocviz inherits from another one of rocviz is on its page; what it has from
# these classes is documented elsewhere.
_OTHERS = (
    *("BaseEstimator", "ClassifierMixin", "TransformerMixin", "MetaEstimatorMixin"),
    *("OneToOneFeatureMixin", "_BaseHeterogeneousEnsemble", "_BaseComposition"),
    *("_MetadataRequester", "_SetOutputMixin", "Exception", "object"),
    *("HasDescriptors", "HasTraits", "LoggingHasTraits", "Widget", "CoreWidget"),
    *("DOMWidget", "Box", "VBox", "HBox"),
)
autodoc_default_options = {
    "members": True,
    "inherited-members": ",".join(_OTHERS),
    "show-inheritance": True,
}
napoleon_google_docstring = False
# As a plain list; otherwise each attribute would be described a second time, as a member.
napoleon_custom_sections = [("Attributes", "params_style")]
# As parameters, the words of a shape such as (n_samples,) would be looked up as types.
napoleon_use_param = False
napoleon_use_rtype = False
napoleon_preprocess_types = False

html_theme = "pydata_sphinx_theme"
html_title = "rocviz"
html_static_path = ["_static"]
html_css_files = ["rocviz.css"]
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": True,
    "show_toc_level": 2,
    "header_links_before_dropdown": 7,
    "navbar_persistent": ["search-button"],
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# Only the API has so many pages below it that a sidebar helps; pictures want the room.
html_sidebars = {
    page: []
    for page in (
        *("index", "start", "students", "lecturers", "researchers", "troubleshooting"),
        *("what_we_found", "coverage", "reproduction", "bibliography", "architecture"),
        *("contributing", "changelog", "course", "notebooks/*"),
    )
}
toc_object_entries_show_parents = "hide"


def _bring_the_course(app):
    """Put the notebooks below docs/, where Sphinx can see them; only what changed is written."""
    target = HERE / "notebooks"
    target.mkdir(exist_ok=True)
    wanted = {path.name: path for path in (HERE.parent / "notebooks").glob("*.ipynb")}
    for old in target.glob("*.ipynb"):
        if old.name not in wanted:
            old.unlink()
    for name, path in wanted.items():
        copy, page = target / name, _folded(path.read_text("utf-8"))
        if not copy.exists() or copy.read_text("utf-8") != page:
            copy.write_text(page, "utf-8")


def _folded(page):
    """Fold the outputs of a notebook that JupyterLab hides until their cell is run."""
    notebook = json.loads(re.sub(r"Predict first, then run this cell\.\\n", "", page))
    for cell in notebook["cells"]:
        if cell["metadata"].get("jupyter", {}).get("outputs_hidden"):
            cell["metadata"]["tags"] = ["hide-output"]
    return json.dumps(notebook)


def _skip_requests(_app, _kind, name, _thing, skip, _options):
    """Leave out what scikit-learn adds to every estimator: it refers to a glossary of its own."""
    return True if re.fullmatch(r"set_\w+_request", name) else skip


def setup(app):
    """Register what happens before Sphinx looks for pages."""
    app.connect("builder-inited", _bring_the_course)
    app.connect("autodoc-skip-member", _skip_requests)
