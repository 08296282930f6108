/** Puts a small script into the head of the page that runs before the first frame; it imports nothing. */

import { minify, transformWithOxc, type Plugin } from "vite";

const SOURCE = "src/settings/startSettings.ts";
const NAME = "startSettings.js";

export function startScript(): Plugin {
  return {
    name: "start-script",
    async buildStart() {
      if (this.environment.mode !== "build") return;
      const source = await this.fs.readFile(new URL(SOURCE, import.meta.url).pathname, { encoding: "utf8" });
      const { code } = await transformWithOxc(source, SOURCE);
      // In a block its names are not global.
      this.emitFile({ type: "asset", name: NAME, source: (await minify(NAME, `{${code}}`)).code });
    },
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle }) => {
        const asset = Object.values(bundle ?? {}).find((file) => file.type === "asset" && file.names.includes(NAME));
        return [{ tag: "script", attrs: { src: `/${asset?.fileName ?? SOURCE}` }, injectTo: "head-prepend" }];
      },
    },
  };
}
