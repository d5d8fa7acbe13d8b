import js from "@eslint/js";

const UNUSED = { argsIgnorePattern: "^_", varsIgnorePattern: "^_", caughtErrorsIgnorePattern: "^_" };
const RULES = {
  "no-undef": "off", // tsc sees to it
  "no-unused-vars": ["error", UNUSED],
  "no-control-regex": "off", // terminals send such characters
  eqeqeq: "error",
  "no-var": "error",
  "prefer-const": ["error", { destructuring: "all" }],
};

export default [{ ignores: ["**/static", "**/_build", "**/.cache"] }, js.configs.recommended, { rules: RULES }];
