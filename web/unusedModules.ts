/** Leaves modules of libraries out of the page that it never calls. */

import type { Plugin } from "vite";

/** The names that each module exports, by its path. Chessground draws no shapes here: boards have a layer of their own for that. */
const UNUSED: Readonly<Record<string, string>> = {
  "chessground/dist/svg.js": "createElement, setAttributes, createDefs, renderSvg",
  "chessground/dist/draw.js": "start, move, end, cancel, clear",
  "chessground/dist/autoPieces.js": "render, renderResized",
};

export function unusedModules(): Plugin {
  return {
    name: "unused-modules",
    apply: "build",
    enforce: "pre",
    load: (id) => {
      const path = Object.keys(UNUSED).find((one) => id.endsWith(one));
      return path && `export let ${UNUSED[path]};`;
    },
  };
}
