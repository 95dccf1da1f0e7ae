"""Settings of the documentation; see CONTRIBUTING.md for how it is built."""

import inspect
import re
import sys
from pathlib import Path
from pkgutil import resolve_name

import rocviz

sys.path.insert(0, str(Path(__file__).parent))

from pages import NOTEBOOKS, REPOSITORY, SITE

project = "rocviz"
author = "The rocviz developers"
copyright = "2026, The rocviz developers"
version = release = rocviz.__version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.linkcode",
    "sphinx.ext.napoleon",
    "sphinxcontrib.bibtex",
    "citations",
    "mathml",
    "live",
    "pages",
    "pictures",
    "myst_nb",
    "sphinx_copybutton",
    "sphinxext.opengraph",
    "sphinx_sitemap",
    "notfound.extension",
]
exclude_patterns = ["_build", "_pictures", "notebooks/README.md", "**/.ipynb_checkpoints"]
templates_path = ["_templates"]

# The committed outputs are what readers see; the tests run the notebooks and compare.
nb_execution_mode = "off"
nb_merge_streams = True
nb_code_prompt_show = "Your prediction first, then the {type}"
# Without a kernel a widget shows nothing; each explorer has a picture of itself beside it.
nb_mime_priority_overrides = [("html", "application/vnd.jupyter.widget-view+json", None)]
myst_enable_extensions = ["dollarmath", "colon_fence", "deflist", "attrs_block", "attrs_inline"]
myst_heading_anchors = 3
# <test:core/roc/test_auc.py#test_name> is a link to a test, which
# tests/site/test_coverage_page.py follows.
myst_url_schemes = {
    "http": None,
    "https": None,
    "mailto": None,
    "test": {
        "url": f"{REPOSITORY}/blob/main/tests/{{{{path}}}}",
        "title": "{{fragment}}",
    },
    # <api:LexRank> is a link to a page of the API, from a page beside api.md.
    "api": {"url": "api/rocviz.{{path}}.html", "title": "{{path}}"},
}

autosummary_generate = True
autodoc_member_order = "bysource"
autodoc_typehints = "none"
# Members inherited from classes of rocviz are on the page of a class; those of these classes are
# documented elsewhere.
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

bibtex_bibfiles = ["references.bib"]
bibtex_default_style = "authors_and_year"
bibtex_reference_style = "authors_and_year"
bibtex_cite_id = "{key}"

html_theme = "pydata_sphinx_theme"
html_title = "rocviz"
html_static_path = ["_static"]
html_css_files = ["rocviz.css"]
html_show_sourcelink = False
html_theme_options = {
    "navigation_with_keys": True,
    "show_toc_level": 2,
    "header_links_before_dropdown": 6,
    "show_nav_level": 1,
    "icon_links": [{"name": "Repository", "url": REPOSITORY, "icon": "fa-brands fa-github"}],
    "navbar_persistent": ["search-button"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}
# The first page has no section to show; pictures of the course want the room of the second bar.
html_sidebars = {"index": []}
html_theme_options["secondary_sidebar_items"] = {
    "index": [],
    **{f"notebooks/{path.stem}": [] for path in NOTEBOOKS.glob("*.ipynb")},
    "**": ["page-toc"],
}
# Canonical links, a map of the site, a page for addresses that there are not, and what a link to
# a page looks like where it is shared.
html_baseurl = f"{SITE}/"
sitemap_url_scheme = "{link}"
sitemap_show_lastmod = False
notfound_urls_prefix = f"/{SITE.partition('://')[2].partition('/')[2]}/"
ogp_site_url = html_baseurl
ogp_site_name = "rocviz"
ogp_image = f"{SITE}/_static/roc-explorer-light.png"
ogp_image_alt = "A ROC explorer: a sentence, controls, one large and three small pictures"
ogp_social_cards = {"enable": False}
html_favicon = "_static/favicon.svg"
toc_object_entries_show_parents = "hide"
# What stands before code at a prompt, and what it prints, is not copied.
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True


def _skip_requests(_app, _kind, name, _thing, skip, _options):
    """Leave out the methods that scikit-learn adds to all estimators, linked to its glossary."""
    return True if re.fullmatch(r"set_\w+_request", name) else skip


def _real_signature(_app, kind, _name, thing, _options, shown, returns):
    """Find the signature of a class whose metaclass would give (*args, **kwargs)."""
    if kind != "class" or shown != "(*args, **kwargs)":
        return None
    parameters = list(inspect.signature(thing.__init__).parameters.values())[1:]
    bare = [one.replace(annotation=inspect.Parameter.empty) for one in parameters]
    return str(inspect.Signature(bare)), returns


def linkcode_resolve(_domain, info):
    """Find the place of the code of an API name in the repository."""
    try:
        thing = inspect.unwrap(resolve_name(f"{info['module']}:{info['fullname']}"))
        thing = getattr(thing, "fget", None) or thing
        lines, first = inspect.getsourcelines(thing)
        path = Path(inspect.getsourcefile(thing)).relative_to(Path(rocviz.__file__).parents[1])
    # an attribute has no code, and an inherited method has it elsewhere
    except (AttributeError, OSError, TypeError, ValueError):
        return None
    return f"{REPOSITORY}/blob/main/{path.as_posix()}#L{first}-L{first + len(lines) - 1}"


def setup(app):
    """Register the actions before Sphinx looks for pages."""
    app.connect("autodoc-skip-member", _skip_requests)
    app.connect("autodoc-process-signature", _real_signature)
