// How large the tree is drawn: as wide as its window, until the reader chooses a size by hand.

/** The width of what is printed on a sheet, in units of the page, and how small a tree may get there. */
const sheet = { room: 640, smallest: 0.6 };

/** Keep the drawing as wide as its frame: `redraw` draws a layout, `settle` scrolls to what matters in it. */
function sizeTree(tools, svg, frame, redraw, settle) {
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

  const button = (text, label, act) => {
    const made = make("button", { type: "button", class: "plain", "aria-label": label }, text);
    made.addEventListener("click", act);
    return made;
  };
  tools.append(
    button("−", "Smaller", () => zoom(1 / 1.25)),
    button("+", "Larger", () => zoom(1.25)),
    button("Fit", "Fit the tree to the page", fit),
  );
  window.addEventListener("resize", () => {
    if (byHand === null && !printing && frame.clientWidth !== room) fit();
  });
  // On paper there is another width, and nothing to scroll.
  window.addEventListener("beforeprint", () => {
    printing = true;
    lay(sheet.room, sheet.smallest);
  });
  window.addEventListener("afterprint", () => {
    printing = false;
    if (byHand === null) return fit();
    lay(room, smallestScale);
    return size(byHand);
  });
  fit();
}
