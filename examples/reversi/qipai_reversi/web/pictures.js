/** Small pictures: beside names, in lists of games and in the lobby. */

import { h } from "preact";
import { fillText, StoneBadge, texts } from "qipai/board-kit";
import { colourOf, countDiscs } from "./position.js";

const LOBBY_DISCS = { black: [[108, 36], [132, 60], [156, 36], [84, 60], [132, 84]], white: [[108, 60], [132, 36], [156, 60], [108, 84]] };

export function Badge({ position, seat }) {
  const colour = colourOf(position, seat);
  return h(StoneBadge, { colour, label: texts.value.games.reversi[colour] });
}

export function Score({ position, seat }) {
  const count = countDiscs(position, seat);
  const label = fillText(texts.value.games.reversi.count, { count });
  return h("span", { class: "reversi-score", role: "img", "aria-label": label }, count);
}

export function Icon() {
  return h(
    "svg",
    { class: "game-icon", viewBox: "0 0 32 32", "aria-hidden": "true" },
    h("path", { class: "game-icon-lines", d: "M3 3h26v26H3zM16 3v26M3 16h26" }),
    h("circle", { class: "game-icon-white", cx: 9.5, cy: 9.5, r: 5 }),
    h("circle", { class: "game-icon-black", cx: 22.5, cy: 9.5, r: 5 }),
    h("circle", { class: "game-icon-black", cx: 9.5, cy: 22.5, r: 5 }),
    h("circle", { class: "game-icon-white", cx: 22.5, cy: 22.5, r: 5 }),
  );
}

export function LobbyPicture() {
  const discs = (colour) => LOBBY_DISCS[colour].map(([x, y]) => h("circle", { key: `${x} ${y}`, class: `reversi-picture-${colour}`, cx: x, cy: y, r: 9.5 }));
  const shadows = Object.values(LOBBY_DISCS).flat().map(([x, y]) => h("circle", { key: `${x} ${y}`, class: "reversi-picture-shadow", cx: x + 0.6, cy: y + 1.4, r: 9.8 }));
  return h(
    "svg",
    { class: "lobby-picture reversi-picture", viewBox: "0 0 240 96", preserveAspectRatio: "xMidYMid slice", "aria-hidden": "true" },
    h("path", { class: "reversi-picture-felt", d: "M0 0h240v96H0z" }),
    h("path", { class: "reversi-picture-line", d: "M0 24h240M0 48h240M0 72h240M24 0v96M48 0v96M72 0v96M96 0v96M120 0v96M144 0v96M168 0v96M192 0v96M216 0v96" }),
    shadows,
    discs("black"),
    discs("white"),
    h("circle", { class: "reversi-picture-hint", cx: 180, cy: 60, r: 3.2 }),
    h("circle", { class: "reversi-picture-hint", cx: 84, cy: 36, r: 3.2 }),
  );
}
