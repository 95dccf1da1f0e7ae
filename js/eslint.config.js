import js from "@eslint/js";
import globals from "globals";

export default [
  js.configs.recommended,
  {
    rules: {
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }],
      "prefer-const": ["error", { destructuring: "all" }],
      eqeqeq: "error",
      "no-var": "error",
    },
  },
  { files: ["src/**"], languageOptions: { globals: globals.browser } },
  { files: ["tests/**", "*.mjs"], languageOptions: { globals: globals.node } },
];
