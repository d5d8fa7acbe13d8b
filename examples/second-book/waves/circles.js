// Arms that turn, each on the tip of the one before: the height of the last tip is the sum of the waves.
export default function circles({ names: [joints], limits: [low, high] }, { svg, print }) {
  const reach = 1.15 * Math.max(-low, high);
  const element = svg("svg", { viewBox: `${-reach} ${-reach} ${2 * reach} ${2 * reach}`, width: 280, height: 280 });
  const rings = svg("g", { fill: "none", stroke: "currentColor", "stroke-width": reach / 200, opacity: 0.4 });
  const arms = svg("path", { fill: "none", stroke: "currentColor", "stroke-width": reach / 70 });
  const tip = svg("circle", { r: reach / 25, fill: "currentColor" });
  element.append(rings, arms, tip);
  let height = 0;

  function draw(frame) {
    const points = Array.from({ length: frame[joints].length / 2 }, (_, i) => [frame[joints][2 * i], -frame[joints][2 * i + 1]]);
    const [x, y] = points.at(-1);
    height = -y;
    rings.replaceChildren(...points.slice(1).map((end, i) => ring(points[i], end)));
    arms.setAttribute("d", `M${points.map((point) => point.join(" ")).join("L")}`);
    tip.setAttribute("cx", x);
    tip.setAttribute("cy", y);
  }

  const ring = ([cx, cy], [x, y]) => svg("circle", { cx, cy, r: Math.hypot(x - cx, y - cy) });

  return { element, draw, summary: () => `The tip of the last arm is at the height ${print(height)}.` };
}
