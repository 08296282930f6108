/** Writes the import map of the page: the names that games from outside import, and where the page has them. */

import type { Plugin } from "vite";

/** Source of each module, by the name that games from outside import. */
const SHARED: Readonly<Record<string, string>> = {
  preact: "src/boardKit/sharedLibraries.ts",
  "preact/hooks": "src/boardKit/sharedLibraries.ts",
  "@preact/signals": "src/boardKit/sharedLibraries.ts",
  "qipai/board-kit": "src/boardKit/index.ts",
};

export function importMap(): Plugin {
  return {
    name: "import-map",
    transformIndexHtml: {
      order: "post",
      handler: (_, { bundle }) => {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === "chunk");
        const urlOf = (source: string) => {
          if (bundle === undefined) return `/${source}`;
          const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${source}`));
          if (chunk === undefined) throw new Error(`${source} is in no chunk of its own`);
          return `/${chunk.fileName}`;
        };
        const imports = Object.fromEntries(Object.entries(SHARED).map(([name, source]) => [name, urlOf(source)]));
        // The server allows this inline script by its hash.
        return [{ tag: "script", attrs: { type: "importmap" }, children: JSON.stringify({ imports }), injectTo: "head-prepend" }];
      },
    },
  };
}
