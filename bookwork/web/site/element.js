/** Make an element with properties and children; `role` and names with a dash become attributes. */
export function element(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "role" || key.includes("-")) node.setAttribute(key, value);
    else node[key] = value;
  }
  node.append(...children);
  return node;
}

/**
 * A button in the theme's look; `main` is the one of a line that most readers want.
 *
 * @param {{ main?: boolean, [property: string]: any }} [options]
 */
export function button(textContent, onclick, options = {}) {
  const { main = false, ...more } = options;
  return element("button", {
    type: "button",
    className: main ? "btn btn-sm btn-primary" : "btn btn-sm btn-outline-secondary",
    textContent,
    onclick,
    ...more,
  });
}
