"""Look for faults in the built site: dead links, files from other hosts, pages without a policy."""

import re
from html import unescape
from urllib.parse import unquote

from bookwork.book.faults import Fault, print_faults
from bookwork.build.policy import TAG
from bookwork.build.secure_pages import written_pages

LINK = re.compile(r'<a\b[^>]*?\shref="([^"]+)"')
LOADED = re.compile(
    r'<(?:script|img|iframe)\b[^>]*?\ssrc="(https?:)?//([^"/]+)|<link\b(?=[^>]*\srel="(?:stylesheet|preload)")[^>]*?\shref="https?://([^"/]+)'
)
SCRIPT = re.compile(r"(<script\b[^>]*>)(.*?)(?=</script>)", re.S)
ANCHOR = re.compile(r'\b(?:id|name)="([^"]+)"')
MOST_BYTES = 6_000_000  # of one page, all its figures included


def main(site, is_strict=True):
    """Print the faults of a site; return 1 if there are any."""
    return 1 if print_faults(faults_of(site, is_strict)) else 0


def faults_of(site, is_strict=True):
    """Yield the faults of all pages; other hosts are one under a strict policy."""
    own = written_pages(site)
    pages = {path: without_scripts(path.read_text(encoding="utf-8")) for path in own}
    anchors = {path: set(map(unescape, ANCHOR.findall(text))) for path, text in pages.items()}
    for path, text in pages.items():
        name = path.relative_to(site).as_posix()
        hosts = hosts_of_page(text) if is_strict else ()
        for line, sentence in [*hosts, *faults_of_page(path, text, anchors, site)]:
            yield Fault(f"_build/html/{name}", line, sentence)


def without_scripts(text):
    """Return a page with empty scripts, in as many lines: what they name is no link."""
    return SCRIPT.sub(lambda match: match[1] + "\n" * match[2].count("\n"), text)


def faults_of_page(path, text, anchors, site):
    """Yield line and sentence for each fault of a page."""
    if TAG not in text:
        yield 0, "this page has no Content-Security-Policy"
    if len(text) > MOST_BYTES:
        size, most = len(text) / 1e6, MOST_BYTES / 1e6
        remedy = "give its figures fewer values, or set bookwork_inline_limit"
        yield 0, f"this page has {size:.1f} MB, more than {most:.0f}: {remedy}"
    for match in LINK.finditer(text):
        if sentence := fault_of_link(path, unescape(match[1]), anchors, site):
            yield line_at(text, match), sentence


def hosts_of_page(text):
    """Yield line and sentence for each file that a page would load from another host."""
    for match in LOADED.finditer(text):
        yield line_at(text, match), f"this page loads a file from {match[2] or match[3]}"


def line_at(text, match):
    """Return the line of a match."""
    return text.count("\n", 0, match.start()) + 1


def fault_of_link(path, address, anchors, site):
    """Return what is wrong with a link, or None; other hosts are not asked."""
    if re.match(r"[a-z][a-z+.-]*:|//", address):
        return None
    file, _, anchor = unquote(address.partition("?")[0]).partition("#")
    target = (path.parent / file).resolve() if file else path
    target = target / "index.html" if target.is_dir() else target
    if not target.is_file():
        return f"the link {address} leads to no file"
    if anchor and target in anchors and anchor not in anchors[target]:
        return f"the link {address} leads to a page that has no place {anchor}"
    return None
