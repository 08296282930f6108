/** How the page is built, served during development and tested. */

import { defineConfig } from "vitest/config";
import { importMap } from "./importMap.ts";
import { startScript } from "./startScript.ts";
import { unusedModules } from "./unusedModules.ts";

export default defineConfig({
  plugins: [importMap(), startScript(), unusedModules()],
  build: {
    outDir: "../src/qipai/page",
    emptyOutDir: true,
    // The content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    // The first versions with `light-dark()`, which must not be replaced: the theme changes what it means.
    cssTarget: ["chrome123", "edge123", "firefox120", "safari17.5"],
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // What the lobby needs is one file; otherwise every part that is loaded later splits it further.
            { name: "page", tags: ["$initial"], priority: 1 },
            // Small parts that several boards have are one file.
            { name: "boards", test: /\/src\/(boardKit\/drawing\/DrawingLayer|replay\/(MoveList|StepButtons))\./ },
            // So is the dialog for a new table with the forms of all games.
            { name: "newTable", test: /src\/(dialogs\/(create\/|sheet|Sheet)|games\/\w+\/OptionsForm)/ },
          ],
        },
      },
    },
  },
  server: {
    proxy: { "/play": { target: "http://127.0.0.1:3000", ws: true }, "/games": "http://127.0.0.1:3000" },
  },
  test: { include: ["test/**/*.test.ts"], setupFiles: ["test/setup.ts"], css: true, testTimeout: 30_000 },
});
