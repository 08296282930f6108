/** How the page is built, served during development and tested. */

import { defineConfig } from "vitest/config";

export default defineConfig({
  build: {
    outDir: "../src/qipai/page",
    emptyOutDir: true,
    // The content security policy allows no data: URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: { "/play": { target: "http://127.0.0.1:3000", ws: true } },
  },
  test: { include: ["test/**/*.test.ts"], setupFiles: ["test/setup.ts"], css: true, testTimeout: 30_000 },
});
