/** A pie: one slice for each share. */
export default function pie({ names: [shares], labels, colours }, { svg, print }) {
  const element = svg("svg", { viewBox: "-1.1 -1.1 2.2 2.2", width: 220, height: 220 });
  const slices = labels.map((_, k) => svg("path", { fill: colours[k], stroke: "currentColor", "stroke-width": 0.02 }));
  element.append(...slices);
  let largest = "";
  const point = (turn) => `${Math.sin(turn)} ${-Math.cos(turn)}`;
  return {
    element,
    draw(frame) {
      const numbers = Array.from(frame[shares]); // all numbers of the array in a row, whatever its shape
      let turn = 0;
      numbers.forEach((share, k) => {
        const end = turn + 2 * Math.PI * Math.min(share, 0.9999); // an arc cannot end where it begins
        slices[k].setAttribute("d", `M0 0L${point(turn)}A1 1 0 ${share > 0.5 ? 1 : 0} 1 ${point(end)}Z`);
        turn = end;
      });
      const k = numbers.indexOf(Math.max(...numbers));
      largest = `${labels[k]} has the largest slice, ${print(numbers[k])}.`;
    },
    summary: () => largest, // the sentence below, also for screen readers
  };
}
