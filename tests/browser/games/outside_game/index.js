/** A game from outside for tests: the rules of tic-tac-toe on the server, a board of stones in the page. */

import { h } from "preact";
import { useEffect } from "preact/hooks";
import { useSignal } from "@preact/signals";
import { BoardGrid, earlierStatus, fillText, showMove, shownMove, MoveButton, MoveList, StoneBadge, texts, useTapConfirmation } from "qipai/board-kit";

const colourOf = (position, seat) => (seat === position.x ? "black" : "white");
const contentOf = (symbol) => ({ X: "black", O: "white" })[symbol] ?? "empty";
const total = ({ position }) => position?.moves?.length ?? 0;

function Board({ scene }) {
  const focus = useSignal(4);
  const tap = useTapConfirmation(scene);
  const drawn = useSignal(0);
  useEffect(() => void (drawn.value += 1), []);
  const text = scene.texts.games.stones;
  const { earlier } = shownMove(scene, total(scene));
  const board = scene.position?.board ?? ".".repeat(9);
  return h(
    "div",
    { class: "stones board", "data-drawn": drawn.value, onPointerDown: tap.onPointerDown },
    h(BoardGrid, {
      columns: 3,
      rows: 3,
      label: text.board,
      focus,
      class: "stones-grid",
      rowClass: "stones-row",
      cell: (number) => ({
        label: fillText(text.cell, { row: Math.floor(number / 3) + 1, column: (number % 3) + 1, content: text[contentOf(board[number])] }),
        disabled: !scene.mayMove || earlier || board[number] !== ".",
        children: board[number] !== "." && h("span", { class: `stones-stone stones-${contentOf(board[number])}` }),
      }),
      onPress: (cell, event) => tap.press({ do: "mark", cell }, event, event.currentTarget.getBoundingClientRect().width),
      onCancel: () => scene.setDraft(null),
    }),
  );
}

function Moves({ scene }) {
  const text = scene.texts.games.stones;
  const { step } = shownMove(scene, total(scene));
  return h(
    MoveList,
    { text, step, total: total(scene), onStep: (to) => showMove(scene, total(scene), to) },
    (scene.position?.moves ?? []).map((cell, index) =>
      h("li", { key: index }, h(MoveButton, { colour: index % 2 ? "white" : "black", label: String(cell), name: String(cell), current: index === step - 1, onClick: () => showMove(scene, total(scene), index + 1) })),
    ),
  );
}

function draw(context, size, { position }) {
  context.fillStyle = "#7aa36f";
  context.fillRect(0, 0, size, size);
  [...(position?.board ?? "")].forEach((symbol, number) => {
    if (symbol === ".") return;
    context.fillStyle = contentOf(symbol);
    context.beginPath();
    context.arc(((number % 3) + 0.5) * (size / 3), (Math.floor(number / 3) + 0.5) * (size / 3), size / 9, 0, 2 * Math.PI);
    context.fill();
  });
}

function icon(className, viewBox) {
  return () => h("svg", { class: className, viewBox, "aria-hidden": "true" }, h("circle", { class: "stones-picture", cx: 16, cy: 16, r: 12 }));
}

export const stylesheet = "style.css";
export const SHARED_MOVES = ["next"];

export function reduce(position, event) {
  switch (event.e) {
    case "marked": {
      const symbol = event.seat === position.x ? "X" : "O";
      return {
        ...position,
        board: position.board.slice(0, event.cell) + symbol + position.board.slice(event.cell + 1),
        moves: [...(position.moves ?? []), event.cell],
        turn: 1 - event.seat,
      };
    }
    case "round_over":
      return { ...position, resting: true, wins: event.wins };
    case "round_started":
      return { ...position, resting: false, board: ".".repeat(9), moves: [], turn: event.first };
    default:
      return position;
  }
}

export const game = {
  Board,
  Badge: ({ position, seat }) => {
    const colour = colourOf(position, seat);
    return h(StoneBadge, { colour, label: texts.value.games.stones[colour] });
  },
  Score: ({ position, seat }) => h("span", { class: "stones-score" }, position.wins[seat]),
  Icon: icon("game-icon", "0 0 32 32"),
  LobbyPicture: icon("lobby-picture", "-60 -8 152 48"),
  MoveList: Moves,
  boardDrawing: async () => draw,
  notation: "txt",
  usesRandomness: () => true,
  offerKinds: [],
  possibleOffers: () => [],
  tags: () => [texts.value.games.stones.tag],
  heading: (position, { games }) => fillText(games.stones.round, { round: position.round + 1 }),
  tone: (event) => (event.e === "marked" ? "move" : null),
  status: (scene) => {
    const text = scene.texts.games.stones;
    const { position, play } = scene;
    if (position?.resting && scene.room.phase === "playing") return { text: text.over, mine: true, button: { label: text.nextRound, press: () => play({ do: "next" }) } };
    return earlierStatus(scene, total(scene), { ...text, earlier: (step, all) => fillText(text.earlier, { step, total: all }) });
  },
  announce: (event, { position, texts: { games } }) =>
    event.e === "marked" && position ? fillText(games.stones.marked, { colour: games.stones[colourOf(position, event.seat)] }) : null,
};
