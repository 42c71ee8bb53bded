"""What the site has that no page says: the order of the pages, public names, and files of the source.

* The list of docs/README.md is the table of contents, its headings the captions.
* ``.. public-names:: agir agir.operations`` documents what a module exports, as names of another.
* Links to files that are no pages lead to pages with their text, and to the line that they name.
"""

from __future__ import annotations

import html
import importlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from docutils import nodes
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, String, Text
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

import agir

INDEX = "docs/README"
SECTION = re.compile(r"^## (.*)\n+((?:- .*\n(?:  .*\n)*)+)", re.MULTILINE)
LINK = re.compile(r"^- \[[^]]*\]\(([^)]*)\.md\)", re.MULTILINE)
FACTS = re.compile(r"^(Shapes|Dtypes|Raises|Source): (.*(?:\n +.*)*)", re.MULTILINE)
LINE = re.compile(r"\]\(([^)#\s]+)#(L\d+)\)")
SOURCES = "sources"
"""Where pages of source are."""
PROGRAMS = {".py", ".toml"}
"""What is shown of folders."""


def keep_lines(app: Sphinx, page: str, source: list[str]) -> None:
    """Give the line in a link to a file as its title, which is kept where the file is no page."""
    source[0] = LINE.sub(r'](\1 "\2")', source[0])


def add_contents(app: Sphinx, page: str, source: list[str]) -> None:
    """Give the first page the list of all, from the one that readers of the repository see.

    The first page of another folder has those beside it.
    """
    if page != app.config.root_doc:
        folder, _, name = page.rpartition("/")
        beside = sorted(each for each in app.env.found_docs if each.rpartition("/")[0] == folder)
        if name == app.config.root_doc and page != INDEX:
            source[0] += contents("", [each for each in beside if each != page])
        return
    listed = Path(app.srcdir, f"{INDEX}.md").read_text()
    for caption, items in SECTION.findall(listed):
        pages = [os.path.normpath(f"docs/{each}") for each in LINK.findall(items)]
        if caption == "Reference" and "docs/api/index" in app.env.found_docs:
            pages.append("docs/api/index")
        source[0] += contents(caption, [each for each in pages if each != page])
    source[0] += contents("More", [INDEX, "CHANGELOG", "SECURITY"])


def contents(caption: str, pages: list[str]) -> str:
    """A table of contents that is shown at the side only."""
    listed = "\n".join(f"/{page}" for page in pages)
    titled = f":caption: {caption}\n" if caption else ""
    return f"\n\n```{{toctree}}\n:hidden:\n{titled}\n{listed}\n```\n"


class PublicNames(SphinxDirective):
    """The documentation of what a module exports, under the name of the module that users import."""

    required_arguments = 1
    optional_arguments = 1

    def run(self) -> list[nodes.Node]:
        """Have autodoc document each."""
        shown, table = self.arguments[0], self.arguments[-1]
        module = importlib.import_module(shown)
        lines = [f".. py:currentmodule:: {shown}", ""]
        for name in exported(importlib.import_module(table)):
            value = getattr(module, name)
            is_elsewhere = module is not agir and value is getattr(agir, name, None)
            documented = "" if is_elsewhere and isinstance(value, type) else directive(value)
            if documented:
                lines += [f".. {documented}:: {name}", ""]
        return self.parse_text_to_nodes("\n".join(lines))


def exported(module: ModuleType) -> list[str]:
    """The names of a module; where it has no list of them, the functions that are its own."""
    own = (
        name
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and value.__module__.startswith(module.__name__)
    )
    return sorted(getattr(module, "__all__", None) or [each for each in own if each[0] != "_"])


def directive(value: object) -> str:
    """What documents a value: nothing where it has no documentation of its own."""
    if isinstance(value, ModuleType) or value is None:
        return ""
    if isinstance(value, type):
        return "autoexception" if issubclass(value, BaseException) else "autoclass"
    return "autofunction" if callable(value) else ""


def facts_as_fields(
    app: Sphinx, what: str, name: str, value: object, options: object, lines: list[str]
) -> None:
    """Show the lines ``Shapes: ...`` and so on as fields."""
    text = "\n".join(lines)
    lines[:] = FACTS.sub(_field, text).splitlines()


def _field(fact: re.Match[str]) -> str:
    said = re.sub(r"_(?!\w)", r"\_", fact[2])  # else the name of a link
    return f"\n:{fact[1]}: {said}"


def lead_to_sources(app: Sphinx, document: nodes.document) -> None:
    """Let links to files and folders that are no pages lead to pages with what is in them."""
    page = app.env.current_document.docname
    links = [
        *document.findall(addnodes.download_reference),
        *document.findall(addnodes.pending_xref),
    ]
    for link in links:
        found = os.path.normpath(os.path.join(os.path.dirname(page), link["reftarget"]))
        if link.get("reftype") not in (None, "myst") or not Path(app.srcdir, found).exists():
            continue
        app.env.metadata[page].setdefault("sources", []).append(found)
        uri = app.builder.get_relative_uri(page, f"{SOURCES}/{found}")
        if "reftitle" in link:
            uri += f"#{link['reftitle']}"
        link.replace_self(nodes.reference("", "", *link.children, internal=True, refuri=uri))


def source_pages(app: Sphinx) -> Iterator[tuple[str, dict[str, Any], str]]:
    """A page for each file or folder that a link leads to, and for what is in such folders."""
    linked = {each for data in app.env.metadata.values() for each in data.get("sources", ())}
    for found in sorted(linked | {each for folder in linked for each in files(app, folder)}):
        inside = files(app, found)
        body = listed(found, inside) if inside else shown(Path(app.srcdir, found).read_text())
        context = {"title": found, "body": f"<h1>{found}</h1>{body}"}
        yield f"{SOURCES}/{found}", context, "page.html"


def files(app: Sphinx, folder: str) -> list[str]:
    """The files of a folder, at any depth, that are text of a program."""
    root = Path(app.srcdir)
    found = (root / folder).rglob("*")
    return sorted(each.relative_to(root).as_posix() for each in found if each.suffix in PROGRAMS)


def listed(folder: str, inside: list[str]) -> str:
    """The list of a folder's files; its page lies beside the folder."""
    base = os.path.dirname(folder)
    links = (f'<li><a href="{os.path.relpath(each, base)}.html">{each}</a></li>' for each in inside)
    return f"<ul>{''.join(links)}</ul>"


def shown(text: str) -> str:
    """The lines of a file, each to be led to."""
    lines = enumerate(text.splitlines(), 1)
    spans = "".join(f'<span id="L{number}">{html.escape(line)}</span>' for number, line in lines)
    return f'<pre class="source-file">{spans}</pre>'


class Mermaid(SphinxDirective):
    """A diagram, whose text can be unfolded."""

    has_content = True

    def run(self) -> list[nodes.Node]:
        """The text, folded up."""
        text = html.escape("\n".join(self.content))
        summary = "<summary>The graph, in the language of Mermaid</summary>"
        return [nodes.raw("", f"<details>{summary}<pre>{text}</pre></details>", format="html")]


class MLIR(RegexLexer):
    """Colours for MLIR."""

    name = "MLIR"
    tokens = {
        "root": [
            (r"//.*", Comment),
            (r'"[^"]*"', String),
            (r"[%^][\w$.#-]+", Name.Variable),
            (r"@[\w$.-]+", Name.Function),
            (r"[#!][\w.]+", Name.Decorator),
            (r"\b(?:tensor|memref|vector)\b|\b(?:[if]\d+|index)\b", Keyword.Type),
            (r"\b[a-z_]+\.[\w.]+", Keyword),
            (r"-?\b\d[\w.+]*", Number),
            (r"\w+|\s+|.", Text),
        ]
    }


def front_page(app: Sphinx, error: Exception | None) -> None:
    """The address of the site itself is that of its first page."""
    first = Path(app.outdir, f"{app.config.root_doc}.html")
    if error is None and first.exists():
        Path(app.outdir, "index.html").write_text(first.read_text())


def leave_out(
    app: Sphinx, what: str, name: str, value: object, skip: bool, options: object
) -> bool | None:
    """Leave out members of which nothing is said but their place in a tuple."""
    return True if str(getattr(value, "__doc__", "")).startswith("Alias for field") else None


def setup(app: Sphinx) -> dict[str, bool]:
    """What sphinx calls first."""
    app.add_directive("public-names", PublicNames)
    app.add_directive("mermaid", Mermaid)
    app.add_lexer("mlir", MLIR)
    app.connect("source-read", keep_lines)
    app.connect("source-read", add_contents)
    app.connect("autodoc-process-docstring", facts_as_fields)
    app.connect("autodoc-skip-member", leave_out)
    app.connect("doctree-read", lead_to_sources, priority=400)  # before files are copied
    app.connect("html-collect-pages", source_pages)
    app.connect("build-finished", front_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
