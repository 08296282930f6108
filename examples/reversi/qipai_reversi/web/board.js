/** The board: a grid of buttons with the discs on them. */

import { h } from "preact";
import { useSignal } from "@preact/signals";
import { BoardGrid, shownMove, useTapConfirmation } from "qipai/board-kit";
import { colourOf, discsAfter, SIZE, squareName } from "./position.js";

const LINES = [0, 1, 2, 3, 4, 5, 6, 7];

export function Board({ scene }) {
  const { position, you, pending, draft, mayMove, setDraft, texts } = scene;
  const text = texts.games.reversi;
  const focus = useSignal(19);
  const tap = useTapConfirmation(scene);
  const { step, earlier } = shownMove(scene, position?.moves.length ?? 0);
  const discs = position ? discsAfter(position, step) : [];
  const last = position?.moves[step - 1];
  const open = mayMove && !earlier;
  const mine = position && you !== null ? colourOf(position, you) : null;
  const preview = earlier ? undefined : (pending ?? (open ? draft : null))?.square;

  const cell = (square) => {
    const legal = open && position.legal.includes(square);
    const content = [
      text[discs[square] ?? "empty"],
      square === last?.square && text.lastDisc,
      legal && text.playable,
      square === draft?.square && legal && text.unconfirmed,
    ];
    return {
      label: texts.punctuation.labelled(squareName(square), content.filter(Boolean).join(texts.punctuation.comma)),
      square: squareName(square),
      class: legal ? "reversi-square reversi-legal" : "reversi-square",
      disabled: !legal,
      children: [
        discs[square] && h(Disc, { key: last?.flipped.includes(square) ? step : 0, colour: discs[square], square, last }),
        !discs[square] && square === preview && h("span", { class: `reversi-disc reversi-${mine} reversi-preview` }),
        legal && square !== preview && h("span", { class: `reversi-hint reversi-${mine}` }),
      ],
    };
  };

  const press = (square, event) => {
    tap.press({ do: "place", square }, event, event.currentTarget.getBoundingClientRect().width);
  };

  const classes = ["reversi board", earlier && "reversi-earlier", position === null && "reversi-waiting"];
  return h(
    "div",
    { class: classes.filter(Boolean).join(" "), onPointerDown: tap.onPointerDown },
    h(Coordinates),
    h(BoardGrid, {
      columns: SIZE,
      rows: SIZE,
      label: text.board,
      focus,
      class: "reversi-grid",
      rowClass: "reversi-row",
      cell,
      onPress: press,
      onCancel: () => setDraft(null),
      children: h(Marks),
    }),
  );
}

/** A disc; one that the last move flipped turns over. */
function Disc({ colour, square, last }) {
  const flipped = last?.flipped.includes(square);
  const classes = ["reversi-disc", `reversi-${colour}`, square === last?.square && "reversi-last", flipped && "reversi-flipped"];
  const before = flipped && h("span", { class: `reversi-disc reversi-before reversi-${colour === "black" ? "white" : "black"}` });
  return [h("span", { class: classes.filter(Boolean).join(" ") }), before];
}

/** The names of the columns and rows on the frame. */
function Coordinates() {
  return h(
    "svg",
    { class: "reversi-coordinates", viewBox: "0 0 88 88", "aria-hidden": "true" },
    LINES.map((line) => [
      h("text", { key: `column ${line}`, x: 9 + 10 * line, y: 2.1 }, "abcdefgh"[line]),
      h("text", { key: `row ${line}`, x: 2, y: 9.2 + 10 * line }, line + 1),
    ]),
  );
}

/** The four points that mark the middle of the board. */
function Marks() {
  const points = [[20, 20], [60, 20], [20, 60], [60, 60]];
  return h(
    "svg",
    { class: "reversi-marks", viewBox: "0 0 80 80", "aria-hidden": "true" },
    points.map(([x, y]) => h("circle", { key: `${x} ${y}`, cx: x, cy: y, r: 0.9 })),
  );
}
