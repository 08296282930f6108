/** The tab's icon: another one while it is your turn. */

import waiting from "./favicon-your-turn.svg";

let defaultIcon: string | null = null;

export function showFavicon(mine: boolean): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon"]');
  if (link === null) return;
  defaultIcon ??= link.href;
  const wanted = mine ? waiting : defaultIcon;
  if (link.getAttribute("href") !== wanted) link.href = wanted;
}
