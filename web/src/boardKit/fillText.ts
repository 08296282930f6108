/** Fills the placeholders of a text. */

/** Return a text with `{name}` replaced by the value of that name; an unknown placeholder stays. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}
