/** Colours of the style sheets for what is painted on a canvas. */

/** Return CSS colours, by name, as a canvas understands them; the colour scheme is that of the canvas, if it has one. */
export function canvasColours<N extends string>(canvas: HTMLCanvasElement, colours: Readonly<Record<N, string>>): Record<N, string> {
  const probe = document.createElement("span");
  probe.style.colorScheme = canvas.style.colorScheme;
  document.body.append(probe);
  const values = Object.entries<string>(colours).map(([name, colour]) => {
    probe.style.color = colour;
    return [name, getComputedStyle(probe).color];
  });
  probe.remove();
  return Object.fromEntries(values) as Record<N, string>;
}
