"""What axe-core finds wrong on a page that has come to rest."""

from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# The rest of what axe tells is about what is right, and takes it twice as long.
WANTED = {"runOnly": RULES, "resultTypes": ["violations"]}
ASK = "wanted => axe.run(document, wanted).then(told => told.violations)"
# The light or dark set of colours that was asked for reaches a fresh page after its first frames: axe would see
# the ink of one on the paper of the other.
RESTS = """scheme => matchMedia(`(prefers-color-scheme: ${scheme})`).matches && document.readyState === 'complete'
    && document.getAnimations().every(each => each.playState !== 'running')"""
TWO_FRAMES = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


def violations(page: Page, scheme: Any = "light") -> list[tuple[str, list[tuple[str, str]]]]:
    """Rule, and for each place its markup and what axe says about it; every fold of the page is opened first."""
    page.evaluate("document.querySelectorAll('details').forEach(fold => { fold.open = true })")
    page.wait_for_function(RESTS, arg=scheme)
    page.evaluate(TWO_FRAMES)
    if not page.evaluate("'axe' in window"):
        page.evaluate(Axe().axe_script)
    found = page.evaluate(ASK, WANTED)
    return [
        (each["id"], [(node["html"], node["failureSummary"]) for node in each["nodes"]]) for each in found
    ]
