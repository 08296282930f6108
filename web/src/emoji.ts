/** Shortcuts people type in a chat, and the faces they mean. */

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

/** Every shortcut and its face, the longest first: `O:)` is not an O and a smile. */
export const SHORTCUTS: readonly (readonly [key: string, face: string])[] = FACES.flatMap(([face, ...keys]) =>
  keys.map((key) => [key, face] as const),
).sort(([one], [other]) => other.length - one.length);

const ADDRESS = /[a-zA-Z][a-zA-Z0-9+.-]*:\/\/\S*/.source;
const KEYS = SHORTCUTS.map(([key]) => key.replace(/[()*/\\^$.|?+[\]{}]/g, "\\$&")).join("|");
const FOUND = new RegExp(`(${ADDRESS})|${KEYS}`, "g");
const FACE = new Map(SHORTCUTS);

/** Return the text with faces instead of shortcuts; addresses stay as they are. */
export function withEmoji(text: string): string {
  return text.replace(FOUND, (key, address?: string) => address ?? FACE.get(key) ?? key);
}
