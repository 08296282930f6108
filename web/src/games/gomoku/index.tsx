/** What gomoku provides to the page; the board is loaded lazily. */

import type { OwnGameParts } from "../gameInterface";
import { lazyComponents } from "../../common/lazyComponent";
import { LobbyPicture } from "./LobbyPicture";
import { colourOf, colourOfMove, coordinate, sizeOf, stageOf } from "./position";
import { presets } from "./presets";
import { Badge, Icon, Score } from "./PlayerBadge";
import { status } from "./status";
import "./board/gomoku.css";

const lazy = lazyComponents(() => import("./lazyParts"));
const lazyForm = lazyComponents(() => import("./OptionsForm"));

export const game: OwnGameParts<"gomoku"> = {
  order: 2,
  Board: lazy(({ Board }) => Board, <div class="gomoku board" style={{ "--lines": 15 }} />),
  Badge,
  Score,
  Icon,
  LobbyPicture,
  presets,
  ratedOptions: (options) => options,
  twistOf: ({ rule = "free" }) => rule,
  ratingCategory: ({ rule = "free" }) => `gomoku-${rule}`,
  MoveList: lazy(({ MoveList }) => MoveList, <section class="moves" />),
  OptionsForm: lazyForm(({ OptionsForm }) => OptionsForm, null),
  notationReader: {
    matches: (text) => /^\s*\(\s*;/.test(text),
    load: () => import("./sgfReader").then(({ readSgf }) => readSgf),
  },
  boardDrawing: () => import("./board/boardDrawing").then(({ boardDrawing }) => boardDrawing),
  notation: "sgf",
  usesRandomness: () => false,
  offerKinds: ["undo", "draw", "swap"],
  tags: ({ rule = "free", size }, { games: { gomoku: text } }) => [
    ...(rule === "free" ? [] : [text.rules[rule]]),
    ...(size === 19 ? [text.lines(size)] : []),
  ],
  possibleOffers: ({ moves, rule }) => (moves.length > 0 ? ["undo", "draw"] : rule === "swap2" ? ["draw"] : ["swap"]),
  hasMoves: ({ moves }) => moves.length > 0,
  heading: (position, { games: { gomoku: text } }) => {
    if (stageOf(position)) return text.opening;
    return position.moves.length === 0 ? text.begins : text.stone(position.moves.length);
  },
  tone: (event) => (event.e === "placed" || event.e === "chosen" ? "move" : null),
  sounds: () => import("./sounds").then(({ sounds }) => sounds),
  status,
  announce: (event, { position, texts, you, nameAt }) => {
    if (position === null) return null;
    const text = texts.games.gomoku;
    switch (event.e) {
      case "placed": {
        const size = sizeOf(position);
        const cell = event.x + size * event.y;
        return text.placed(colourOfMove(Math.max(0, position.moves.indexOf(cell))), coordinate(cell, size));
      }
      case "chosen":
        return text.chosen[event.choice](nameAt(event.seat));
      case "five_in_row":
        return text.five;
      case "move_undone":
        return text.undone;
      case "sides_swapped":
        return you === null ? text.swapped : texts.punctuation.sentences(text.swapped, text.youPlay(text[colourOf(position, you) ?? "black"]));
      default:
        return null;
    }
  },
};
