/** What the page refuses of widgets: node widget-limits.mjs '{ states, steps, type }' -> JSON, { faults, room }. */
import { fitWidgets } from "../../bookwork/page/outputs/limits.js";
import { giveRoom, hasRoom, takeRoom } from "../../bookwork/page/figures/widget-room.js";
import { readFileSync } from "node:fs";

const { states, steps, type } = JSON.parse(readFileSync(0, "utf8"));
const kinds = new Map();
const fault = (state, id) => fitWidgets([{ type, id: String(id), buffers: 0, data: { state } }], [], kinds).faults[0] ?? null;
const models = new Map();
const model = (values) => {
  const key = JSON.stringify(values);
  if (!models.has(key)) models.set(key, { attributes: { _model_module: "@jupyter-widgets/controls", ...values } });
  return models.get(key);
};
const STEPS = {
  take: (values, depth = 0) => takeRoom(model(values), depth),
  give: (values) => giveRoom(model(values)),
  change: (values, changed) => hasRoom(model(values), changed),
};

/** What a step answers, or why it was refused. */
function answer([step, ...facts]) {
  try {
    return STEPS[step](...facts) ?? "done";
  } catch (error) {
    return error.message;
  }
}

console.log(JSON.stringify({ faults: states.map(fault), room: steps.map(answer) }));
