/** Replaces emoji shortcuts in chat. */

const FACES: readonly (readonly [face: string, ...keys: string[]])[] = [
  ["😊", ":)", ":-)"],
  ["😢", ":(", ":-("],
  ["😄", ":D", ":-D"],
  ["😉", ";)", ";-)"],
  ["😛", ":P", ":-P", ":p", ":-p"],
  ["😮", ":O", ":-O", ":o", ":-o"],
  ["❤️", "<3"],
  ["😘", ":*", ":-*"],
  ["😆", "XD", "xD"],
  ["😭", ":'(", ":'-("],
  ["😕", ":/", ":-/"],
  ["😇", "O:)", "O:-)"],
  ["😠", ">:(", ">:-("],
  ["😡", ":@"],
  ["😎", "B)", "B-)"],
];

/** Every shortcut with its emoji, the longest first: `O:)` is not an O and a smile. */
export const SHORTCUTS: readonly (readonly [key: string, face: string])[] = FACES.flatMap(([face, ...keys]) =>
  keys.map((key) => [key, face] as const),
).sort(([one], [other]) => other.length - one.length);

const URL_PATTERN = /[a-zA-Z][a-zA-Z0-9+.-]*:\/\/\S*/.source;
const KEYS = SHORTCUTS.map(([key]) => key.replace(/[()*/\\^$.|?+[\]{}]/g, "\\$&")).join("|");
const SHORTCUT_PATTERN = new RegExp(`(${URL_PATTERN})|${KEYS}`, "g");
const FACE = new Map(SHORTCUTS);

/** Return the text with emoji instead of shortcuts; URLs stay unchanged. */
export function replaceShortcuts(text: string): string {
  return text.replace(SHORTCUT_PATTERN, (key, address?: string) => address ?? FACE.get(key) ?? key);
}
