/** How the page looks now: what the user has chosen is an attribute of the root element. */

import { signal } from "@preact/signals";

/** Changes whenever something looks different; what is painted on a canvas is painted again. */
export const appearance = signal(0);

/** Follow all changes; the promise is kept once the page has the styles for what is chosen now. */
export async function followAppearance(): Promise<void> {
  const root = document.documentElement;
  const changed = async () => {
    // Without its styles a choice looks like the usual one.
    if (Object.keys(root.dataset).length > 0) await import("./looks").catch(() => undefined);
    // What the browser draws around the page has the colour of the page.
    for (const meta of document.querySelectorAll<HTMLMetaElement>("[name=theme-color]")) meta.content = getComputedStyle(root).backgroundColor;
    appearance.value++;
  };
  new MutationObserver(() => void changed()).observe(root, { attributes: true });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
  await changed();
}
