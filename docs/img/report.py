"""The pictures of the page on reading a report: `python docs/img/report.py` takes them anew, in Chromium.

They keep the questions of the tree as their description, so that a test can compare them with the tree on the page.
"""

import re
import shutil
import tempfile
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo
from playwright.sync_api import sync_playwright

from hedgerow import LocalBudget, RobustTree
from hedgerow.datasets import city_routes
from hedgerow.report import write_report

HERE = Path(__file__).parent
TITLE = "Aldermere: from the depot to the hospital"


def main() -> None:
    problem, train, test = city_routes()
    model = RobustTree(problem, depth=2, uncertainty=LocalBudget(2.0), method="exact", random_state=0).fit(train)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        path = Path(folder) / "report.html"
        write_report(model, path, train, test=test, title=TITLE)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--headless", "--no-sandbox"]
        )
        page = browser.new_page(viewport={"width": 1100, "height": 850})
        page.goto(path.as_uri())
        for name, minutes in (("Old Bridge", "6"), ("Market Street", "8")):
            page.get_by_label(name).first.fill(minutes)
        page.screenshot(path=HERE / "report.png")
        page.locator("#map").screenshot(path=HERE / "report-map.png")
        browser.close()
    questions = PngInfo()
    questions.add_text("Description", "\n".join(re.findall(r".*[?]$", model.export("text"), re.MULTILINE)))
    for name in ("report.png", "report-map.png"):
        Image.open(HERE / name).save(HERE / name, pnginfo=questions)


if __name__ == "__main__":
    main()
