/** The picture on the browser's tab: another one while a table waits for us. */

import waiting from "./turn.svg";

let usual: string | null = null;

export function showIcon(mine: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
  if (link === null) return;
  usual ??= link.href;
  const wanted = mine ? waiting : usual;
  if (link.getAttribute("href") !== wanted) link.href = wanted;
}
