"""Reports in a real browser, for the tests that look at them there."""

import os
import shutil
from pathlib import Path

import pytest

from hedgerow import LocalBudget, Tree
from hedgerow.datasets import city_routes
from hedgerow.report import write_report
from tests.report import books

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
ARGUMENTS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="module")
def browser():
    missing = "Chromium is not installed" if CHROMIUM is None else None
    try:
        from playwright.sync_api import sync_playwright
    except ModuleNotFoundError:
        missing = "Playwright is not installed"
    if missing is not None:
        if os.environ.get("CI"):
            pytest.fail(f"{missing}; the report must be tested in a browser here.")
        pytest.skip(f"{missing}.")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory):
    folder = Path(os.environ.get("HEDGEROW_SCREENSHOTS") or tmp_path_factory.mktemp("pictures"))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@pytest.fixture
def open_page(browser):
    """Open a file; every request, complaint and dialog is kept, and there must be none."""
    contexts, unwanted = [], []

    def opened(path, *, width=1280, height=900, scheme="light"):
        context = browser.new_context(viewport={"width": width, "height": height}, color_scheme=scheme)
        contexts.append(context)
        page, address = context.new_page(), path.as_uri()
        own = (address, "blob:")  # what the page saves
        page.on("request", lambda request: None if request.url.startswith(own) else unwanted.append(request.url))
        page.on("console", lambda message: unwanted.append(message.text))
        page.on("pageerror", lambda error: unwanted.append(str(error)))
        page.on("dialog", lambda dialog: (unwanted.append(dialog.message), dialog.dismiss()))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert unwanted == []


@pytest.fixture
def visit(open_page, tmp_path):
    """Open a report."""

    def opened(source, costs=None, *, options=None, **window):
        path = tmp_path / f"report-{len(list(tmp_path.iterdir()))}.html"
        write_report(source, path, costs, **(options or {}))
        return open_page(path, **window)

    return opened


@pytest.fixture(scope="module")
def town():
    """The town's rule book as the demo finds it, written down so that nobody has to look for it again."""
    problem, train, _ = city_routes()
    street = problem.item_names.index

    def way(*streets):
        return [float(name in streets) for name in problem.item_names]

    castle = way("High Street", "Old Bridge", "Market Street")
    abbey = way("Mill Lane", "King's Bridge", "Abbey Road")
    docks = way("Station Road", "Rail Bridge", "Dock Road")
    items = [street("Market Street"), street("Old Bridge"), street("Dock Road")]
    tree = Tree.full(items, [9.0, 9.5, 9.5], [castle, abbey, docks, abbey])
    return books.book(problem, train, tree, LocalBudget(2.0)), train
