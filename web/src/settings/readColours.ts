/** Colours of the style sheets for what is painted on a canvas. */

import type { ReadColours } from "../games/gameInterface";

/** Return CSS colours, by name, as a canvas understands them, as they are now. */
export const readColours: ReadColours = (colours) => read(colours, "");

/** Return them as in light mode. */
export const readLightColours: ReadColours = (colours) => read(colours, "light");

function read<N extends string>(colours: Readonly<Record<N, string>>, colorScheme: string): Record<N, string> {
  const probe = document.createElement("span");
  probe.style.colorScheme = colorScheme;
  document.body.append(probe);
  const values = Object.entries<string>(colours).map(([name, colour]) => {
    probe.style.color = colour;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(values) as Record<N, string>;
}
