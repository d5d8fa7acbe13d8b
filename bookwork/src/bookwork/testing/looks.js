// Find what cannot be read in live figures: texts that are cut, leave the screen or the picture, lie on each other or fade into
// what is behind them. Figures that leave much of the text's width empty are faults, too.
() => {
  const faults = [];
  const parse = (colour) => (colour.match(/[\d.]+/g) ?? [0, 0, 0]).map(Number);
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (a, b) => {
    const [low, high] = [luminance(parse(a)), luminance(parse(b))].sort((x, y) => x - y);
    return (high + 0.05) / (low + 0.05);
  };
  const backgroundOf = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = getComputedStyle(at).backgroundColor;
      const [, , , alpha = 1] = parse(colour);
      if (alpha > 0.5) return colour;
    }
    return "rgb(255, 255, 255)";
  };

  /** A text is not cut short, on the screen, and stands out from its cell or the drawing. */
  function checkText(text, drawing, tell) {
    const style = getComputedStyle(text);
    const box = text.getBoundingClientRect();
    if (text.textContent.includes("…")) tell(text, "is cut short");
    if (box.left < -0.5 || box.right > innerWidth + 0.5) tell(text, "leaves the screen");
    const cell = text.classList.contains("live-digits") ? text.previousElementSibling : null;
    const isDrawn = text instanceof SVGElement;
    const behind = cell ? getComputedStyle(cell).fill : backgroundOf(isDrawn ? drawing : text);
    const ratio = contrast(isDrawn ? style.fill : style.color, behind);
    if (ratio < 4.5) tell(text, `has a contrast of ${ratio.toFixed(2)}`);
  }

  /** The box of a label in its own coordinates, without the room above and below its letters, and on the screen. */
  function labelOf(text) {
    const { x, y, width, height } = text.getBBox();
    const inset = 0.22 * height;
    const low = { x: x + 0.5, y: y + inset };
    const high = { x: x + width - 0.5, y: y + height - inset };
    const matrix = text.getScreenCTM();
    const points = [new DOMPoint(low.x, low.y), new DOMPoint(low.x, high.y), new DOMPoint(high.x, low.y), new DOMPoint(high.x, high.y)];
    return { text, low, high, matrix, corners: points.map((point) => point.matrixTransform(matrix)) };
  }

  /** Whether two labels, each turned as it is, meet along both sides of the first. */
  function meet({ low, high, matrix }, { corners }) {
    const points = corners.map((corner) => corner.matrixTransform(matrix.inverse()));
    return ["x", "y"].every((k) => {
      const along = points.map((point) => point[k]);
      return Math.min(Math.max(...along), high[k]) - Math.max(Math.min(...along), low[k]) > 0.5;
    });
  }

  /** The labels of a picture are within it, and none lies on another. */
  function checkLabels(picture, tell) {
    const { left, top, right, bottom } = picture.getBoundingClientRect();
    const isSeen = (text) => text.textContent.trim() && text.checkVisibility({ visibilityProperty: true });
    const labels = [...picture.querySelectorAll("text")].filter(isSeen).map(labelOf);
    for (const [k, label] of labels.entries()) {
      const outside = label.corners.map(({ x, y }) => Math.max(left - x, x - right, top - y, y - bottom));
      if (Math.max(...outside) > 1.5) tell(label.text, "is cut by the edge of its picture");
      const covered = labels.slice(k + 1).find((other) => meet(label, other) && meet(other, label));
      if (covered) tell(label.text, `lies on "${covered.text.textContent}"`);
    }
  }

  function checkWidth(stage, name) {
    const pictures = "svg:is([role=img], [role=application])";
    const others = `.live-view > :not(.live-title):not(:has(${pictures}))`;
    const drawn = [...stage.querySelectorAll(`${pictures}, ${others}`)].map((part) => part.getBoundingClientRect());
    const used = Math.max(...drawn.map((box) => box.right)) - Math.min(...drawn.map((box) => box.left));
    if (used < 0.6 * stage.clientWidth) faults.push(`${name} has only ${used} pixels of ${stage.clientWidth}`);
  }

  const texts =
    "svg text, .live-readout, .live-title, .live-scale, .live-word, :is(.live-link, .live-play, .live-switch):not([hidden]), .live-legend span";
  for (const drawing of document.querySelectorAll(".live-drawing")) {
    const name = drawing.getAttribute("aria-label");
    const tell = (text, fault) => faults.push(`"${text.textContent.slice(0, 30)}" ${fault}, in ${name}`);
    const all = [...drawing.querySelectorAll(texts)].filter((text) => text.textContent.trim());
    all.forEach((text) => checkText(text, drawing, tell));
    const stage = drawing.querySelector(".live-views");
    if (!stage?.clientWidth) continue;
    stage.querySelectorAll("svg").forEach((picture) => checkLabels(picture, tell));
    checkWidth(stage, name);
  }
  return faults;
};
