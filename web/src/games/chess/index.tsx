/** What chess provides to the page; board and rules are loaded lazily. */

import type { Tone } from "../../table/tones";
import type { Games, RoomEvent } from "../../net/protocol";
import type { OwnGameParts } from "../gameInterface";
import { lazyComponents } from "../../common/lazyComponent";
import { HeroPicture } from "./HeroPicture";
import { LobbyPicture } from "./LobbyPicture";
import { bottomSeat } from "./board/orientation";
import { fullPosition } from "./position";
import { moveNumbers } from "./dice/diceHistory";
import { announceChess, chessStatus } from "./announcements";
import { isUsual, presets, ratingCategory, twistOf } from "./presets";
import { Badge, Icon, Score } from "./PlayerBadge";
import "./board/pieces.css";

const minutesPlan = (main: number, seconds: number) => ({ main: [main * 60_000], increment: seconds * 1000 });

const lazy = lazyComponents(() => import("./lazyParts"));
const lazyForm = lazyComponents(() => import("./OptionsForm"));

export const game: OwnGameParts<"chess"> = {
  order: 0,
  Board: lazy(({ Board }) => Board, <div class="chess board chess-waiting" />),
  MoveList: lazy(({ MoveList }) => MoveList, <section class="moves" />),
  Panel: lazy(({ DicePanel }) => DicePanel, null),
  Badge,
  Score,
  Icon,
  LobbyPicture,
  HeroPicture,
  presets,
  ratedOptions: (options) => (isUsual(options) ? options : null),
  twistOf,
  ratingCategory,
  OptionsForm: lazyForm(({ OptionsForm }) => OptionsForm, null),
  clockPresets: [
    null, minutesPlan(1, 0), minutesPlan(3, 2), minutesPlan(5, 0), minutesPlan(10, 0), minutesPlan(15, 10), minutesPlan(30, 20),
  ],
  notationReader: {
    matches: (text) => /^\s*\[\w+\s+"|(^|\s)1\.\s*[a-hNBRQKO0]/.test(text),
    load: () => import("./notation/openedGame").then(({ readPgn }) => readPgn),
  },
  drawVerification: { rules: 1, load: () => import("./verifyRandomness").then(({ verifyGame }) => verifyGame) },
  boardDrawing: () => import("./board/boardDrawing").then(({ boardDrawing }) => boardDrawing),
  notation: "pgn",
  sides: ({ games: { chess } }) => chess.sides,
  bottomSeat,
  usesRandomness: ({ dice, mines }) => Boolean(dice || mines),
  hidesInformation: ({ fog, mines }) => Boolean(fog || mines),
  olderClientSeesHidden: true,
  twistName: (twist, texts) => (twist === "mixed" ? texts.games.chess.mixed : (presets.find(({ id }) => id === twist)?.texts(texts).name ?? twist)),
  tags: ({ dice, fog, mines }, { games: { chess: { tags } } }) => [
    ...(dice ? [tags[dice]] : []),
    ...(fog ? [tags.fog] : []),
    ...(mines ? [tags.mines(mines)] : []),
  ],
  tone: toneOf,
  offerKinds: ["undo", "draw"],
  possibleOffers: (position) => {
    const { moves, dice: hand, minefield, fen } = fullPosition(position);
    return moves.length > 0 && hand === null && minefield === null && fen ? ["undo", "draw"] : ["draw"];
  },
  hasMoves: (position) => fullPosition(position).moves.length > 0,
  heading: (position, { games: { chess: text } }) => {
    const game = fullPosition(position);
    const last = moveNumbers(game).at(-1);
    const where = last === undefined ? text.begins : text.move(last);
    return game.minefield ? `${where} · ${text.minesLeft(game.minefield.left)}` : where;
  },
  status: chessStatus,
  announce: announceChess,
};

/** Only events that the viewer knows make a sound. */
function toneOf(event: RoomEvent | Games["chess"]["event"]): Tone | null {
  switch (event.e) {
    case "moved":
    case "moved_in_fog":
      if (event.check) return "check";
      return event.taken ? "capture" : "move";
    case "rolled":
      return "dice";
    case "exploded":
      return "boom";
    default:
      return null;
  }
}
