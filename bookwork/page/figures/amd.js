/**
 * anywidget's npm package ends in an AMD call, `define(["@jupyter-widgets/base"], factory)`.
 * esbuild puts this function in its place (see `inject` in build.mjs), so that no page needs require.js.
 */

/** @type {(base: object) => { AnyModel: any, AnyView: any }} */
export let makeAnywidget;

/** Keep the factory of the module that calls `define`. */
export function define(_dependencies, factory) {
  makeAnywidget = factory;
}
