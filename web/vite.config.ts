import { defineConfig } from "vitest/config";

export default defineConfig({
  build: {
    outDir: "../src/qipai/page",
    emptyOutDir: true,
    // The page's policy allows files of its own origin only, so nothing becomes a data: address.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: {
    proxy: { "/play": { target: "http://127.0.0.1:3000", ws: true } },
  },
  test: { include: ["test/**/*.test.ts"], css: true, testTimeout: 30_000 },
});
