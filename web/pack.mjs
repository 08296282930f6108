/** Last step of a build: writes the file list into the service worker, a gzipped copy beside every asset, and the types of the board kit. */

import { createHash } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import zopfli from "@gfx/zopfli";

const PAGE = join(import.meta.dirname, "../src/qipai/page");
const COMPRESSED = /^\/assets\/.*\.(js|css|svg)$/;

const files = readdirSync(PAGE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(PAGE.length).replaceAll("\\", "/"))
  .sort();
const read = (file) => readFileSync(join(PAGE, file));

const build = createHash("sha256");
for (const file of files) build.update(file).update(read(file));
// Icons are needed only when the page is installed.
const cached = files.filter((file) => !file.endsWith(".png")).map((file) => (file === "/index.html" ? "/" : file));
const worker = readFileSync(join(import.meta.dirname, "worker.js"), "utf8")
  .replace("__BUILD__", build.digest("hex").slice(0, 16))
  .replace("__FILES__", JSON.stringify(cached));
writeFileSync(join(PAGE, "worker.js"), worker);

// Files that are compressed once and sent often: Zopfli makes them 4 % smaller than zlib.
for (const file of files.filter((name) => COMPRESSED.test(name))) {
  writeFileSync(join(PAGE, `${file}.gz`), await zopfli.gzipAsync(read(file), { numiterations: 5 }));
}

// Authors of games find the types in the installed package; the page does not load them.
copyFileSync(join(import.meta.dirname, "board-kit.d.ts"), join(PAGE, "board-kit.d.ts"));
