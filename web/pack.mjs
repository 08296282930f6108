/** The last step of a build: the worker learns which files there are, and all that shrinks is packed beside itself. */

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const PAGE = join(import.meta.dirname, "../src/qipai/page");
const SHRINKS = /^\/assets\/.*\.(js|css|svg)$/;

const files = readdirSync(PAGE, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(PAGE.length).replaceAll("\\", "/"))
  .sort();
const read = (file) => readFileSync(join(PAGE, file));

const build = createHash("sha256");
for (const file of files) build.update(file).update(read(file));
// Icons are looked at by whoever installs the page, and then no more.
const kept = files.filter((file) => !file.endsWith(".png")).map((file) => (file === "/index.html" ? "/" : file));
const worker = readFileSync(join(import.meta.dirname, "worker.js"), "utf8")
  .replace("__BUILD__", build.digest("hex").slice(0, 16))
  .replace("__FILES__", JSON.stringify(kept));
writeFileSync(join(PAGE, "worker.js"), worker);

for (const file of files.filter((name) => SHRINKS.test(name))) {
  writeFileSync(join(PAGE, `${file}.gz`), gzipSync(read(file), { level: 9 }));
}
