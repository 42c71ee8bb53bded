"""How sphinx makes a web site of the documentation: ``make site``."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(Path(__file__).parent)]

from agir.version import __version__  # noqa: E402

project = "agir"
author = "The agir developers"
version = release = __version__
copyright = author
root_doc = "README"
include_patterns = ["*.md", "docs/**", "benchmarks/*.md"]
exclude_patterns = ["docs/site", ".*", "build", "dist", "tests", "examples", "**/__pycache__"]
extensions = ["myst_parser", "sphinx.ext.autodoc", "agir_pages"]

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4
myst_fence_as_directive = ["mermaid"]
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_default_options = {"members": True, "show-inheritance": True}
default_role = "code"

html_theme = "furo"
html_title = f"agir {version}"
html_static_path = ["static"]
html_css_files = ["agir.css"]
html_copy_source = False
html_show_sphinx = False
suppress_warnings = ["ref.python"]  # `type` is Python's, and an attribute of several classes

if tags.has("pages"):  # noqa: F821 - without what takes most of the time, the names from docstrings
    exclude_patterns.append("docs/api")
