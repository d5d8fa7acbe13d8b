/**
 * A stand-in for the model of a widget: what a figure asks of one, without a widget manager and without Python.
 *
 * The same names as in ipywidgets, so that a figure does not know the difference.
 */
export class Model {
  #callbacks = new Map(); // name of an event -> those who want to hear of it

  /** @param {string} id @param {object} state @param {{ get_model: (id: string) => Promise<Model> }} manager */
  constructor(id, state, manager) {
    this.model_id = id;
    this.widget_manager = manager;
    this.state = state;
  }

  get(name) {
    return this.state[name];
  }

  /** Set one value, or several that an object names; who listens is told of those that changed, at once. */
  set(name, value) {
    const given = typeof name === "object" ? name : { [name]: value };
    const changed = Object.keys(given).filter((key) => !Object.is(given[key], this.state[key]));
    Object.assign(this.state, given);
    changed.forEach((key) => this.#tell(`change:${key}`, given[key]));
    if (changed.length) this.#tell("change");
  }

  /** Call back at events, several of them parted by spaces: "change" or "change:name". */
  on(events, callback) {
    for (const event of events.split(" ")) {
      if (!this.#callbacks.has(event)) this.#callbacks.set(event, new Set());
      this.#callbacks.get(event).add(callback);
    }
  }

  /** No longer call back; without a callback nobody is, without events at none. */
  off(events = null, callback = null) {
    for (const event of events?.split(" ") ?? this.#callbacks.keys()) {
      if (callback) this.#callbacks.get(event)?.delete(callback);
      else this.#callbacks.delete(event);
    }
  }

  /** There is no Python that could hear of it. */
  save_changes() {}
  send() {}

  #tell(event, value) {
    [...(this.#callbacks.get(event) ?? [])].forEach((callback) => callback(this, value));
  }
}
