// Find texts of live figures that are cut, leave the screen, or do not stand out from what is behind them.
() => {
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
  const faults = [];
  const texts =
    "svg text, .live-readout, .live-title, .live-text, .live-scale, .live-word, :is(.live-button, .live-play, .live-switch):not([hidden]), .live-legend span";
  for (const drawing of document.querySelectorAll(".live-drawing")) {
    for (const text of drawing.querySelectorAll(texts)) {
      if (!text.textContent.trim()) continue;
      const what = `"${text.textContent.slice(0, 30)}" in ${drawing.getAttribute("aria-label")}`;
      const style = getComputedStyle(text);
      const box = text.getBoundingClientRect();
      if (text.textContent.includes("…")) faults.push(`${what} is cut short`);
      if (box.left < -0.5 || box.right > innerWidth + 0.5) faults.push(`${what} leaves the screen`);
      const cell = text.classList.contains("live-digits") ? text.previousElementSibling : null;
      const behind = cell ? getComputedStyle(cell).fill : backgroundOf(text instanceof SVGElement ? drawing : text);
      const ink = text instanceof SVGElement ? style.fill : style.color;
      const ratio = contrast(ink, behind);
      if (ratio < 4.5) faults.push(`${what}: contrast ${ratio.toFixed(2)}`);
    }
  }
  return faults;
}
