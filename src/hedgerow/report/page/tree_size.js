// How large the tree is drawn: as wide as its window, until the reader chooses a size by hand.

/** The width of what is printed on a sheet, in units of the page, and how small a tree may get there. */
const sheet = { room: 640, smallest: 0.6 };

/** Keep the drawing as wide as its frame: `redraw` draws a layout, `settle` scrolls to what matters in it. */
function sizeTree(tools, svg, frame, redraw, settle, signal) {
  let [layout, room, printing] = [null, null, false];
  let byHand = null; // the scale that the reader chose

  function lay(width, smallest) {
    layout = layOutTree(width, smallest);
    svg.setAttribute("viewBox", `0 0 ${layout.width} ${layout.height}`);
    size(layout.scale);
    redraw(layout);
  }

  function size(factor) {
    svg.setAttribute("width", layout.width * factor);
    svg.setAttribute("height", layout.height * factor);
  }

  function fit() {
    byHand = null;
    room = frame.clientWidth;
    lay(room, smallestScale);
    settle();
  }

  function zoom(factor) {
    byHand = Math.min(2.5, Math.max(0.15, (byHand ?? layout.scale) * factor));
    size(byHand);
  }

  tools.replaceChildren(
    button("−", () => zoom(1 / 1.25), { "aria-label": say("tree.smaller") }),
    button("+", () => zoom(1.25), { "aria-label": say("tree.larger") }),
    button(say("tree.fit"), fit, { "aria-label": say("tree.fit_page") }),
  );
  window.addEventListener("resize", () => {
    if (byHand === null && !printing && frame.clientWidth !== room) fit();
  }, { signal });
  // On paper there is another width, and nothing to scroll.
  window.addEventListener("beforeprint", () => {
    printing = true;
    lay(sheet.room, sheet.smallest);
  }, { signal });
  window.addEventListener("afterprint", () => {
    printing = false;
    if (byHand === null) return fit();
    lay(room, smallestScale);
    return size(byHand);
  }, { signal });
  fit();
}
