// Find live figures whose labels are cut by the picture's edge or cover each other, and those that leave much of the text's width empty.
() => {
  const LEAST = 0.6, // of the text's width
    SLACK = 1.5; // pixels by which a label may stand out
  const faults = [];

  /** The four corners of a label, as it is turned, without the room above and below its letters. */
  const cornersOf = (text) => {
    const { x, y, width, height } = text.getBBox();
    const matrix = text.getScreenCTM();
    const inset = 0.22 * height;
    const points = [
      [x + 0.5, y + inset],
      [x + width - 0.5, y + inset],
      [x + width - 0.5, y + height - inset],
      [x + 0.5, y + height - inset],
    ];
    return points.map(([u, v]) => new DOMPoint(u, v).matrixTransform(matrix)).map((point) => [point.x, point.y]);
  };
  const axesOf = (corners) =>
    [0, 1].map((k) => {
      const [dx, dy] = [corners[k + 1][0] - corners[k][0], corners[k + 1][1] - corners[k][1]];
      return [dx, dy].map((part) => part / (Math.hypot(dx, dy) || 1));
    });
  const span = (corners, [ax, ay]) => {
    const along = corners.map(([x, y]) => x * ax + y * ay);
    return [Math.min(...along), Math.max(...along)];
  };
  const overlaps = (a, b) =>
    [...axesOf(a), ...axesOf(b)].every((axis) => {
      const [[a0, a1], [b0, b1]] = [span(a, axis), span(b, axis)];
      return Math.min(a1, b1) - Math.max(a0, b0) > 0.5;
    });
  const isSeen = (text) => text.textContent.trim() && getComputedStyle(text).visibility !== "hidden" && text.getClientRects().length;

  for (const drawing of document.querySelectorAll(".live-drawing")) {
    const stage = drawing.querySelector(".live-views");
    if (!stage?.clientWidth) continue;
    const name = drawing.getAttribute("aria-label");
    for (const picture of stage.querySelectorAll("svg")) {
      const edge = picture.getBoundingClientRect();
      const labels = [...picture.querySelectorAll("text")].filter(isSeen).map((text) => ({ said: text.textContent, corners: cornersOf(text) }));
      labels.forEach(({ said, corners }, k) => {
        const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
        const out = Math.max(edge.left - Math.min(...xs), Math.max(...xs) - edge.right, edge.top - Math.min(...ys), Math.max(...ys) - edge.bottom);
        if (out > SLACK) faults.push(`"${said}" is cut by the edge of its picture, by ${out.toFixed(0)} pixels, in ${name}`);
        const covered = labels.slice(k + 1).find((other) => overlaps(corners, other.corners));
        if (covered) faults.push(`"${said}" and "${covered.said}" overlap in ${name}`);
      });
    }
    const drawn = [...stage.querySelectorAll("svg:is([role=img], [role=application]), .live-view > :not(.live-title):not(:has(svg:is([role=img], [role=application])))")].map((part) => part.getBoundingClientRect());
    const used = Math.max(...drawn.map((box) => box.right)) - Math.min(...drawn.map((box) => box.left));
    if (used < LEAST * stage.clientWidth) faults.push(`${((100 * used) / stage.clientWidth).toFixed(0)} % of the width is used by ${name}`);
  }
  return faults;
}
