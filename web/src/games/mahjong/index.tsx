/** What mahjong provides to the page; the table is loaded lazily. */

import { useSignal } from "@preact/signals";
import { texts } from "../../i18n/language";
import type { ToneName } from "./sounds";
import type { Games, RoomEvent } from "../../net/protocol";
import type { OwnGameParts } from "../gameInterface";
import { RULES_NUMBER } from "./rulesNumber";
import { lazyComponents } from "../../common/lazyComponent";
import { ScoreCalculator } from "./scoring/lazyCalculator";
import { LobbyPicture } from "./LobbyPicture";
import { roundText } from "./tiles/tileNames";
import { fullPosition, visiblePart } from "./position";
import { announceMahjong, mahjongStatus } from "./announcements";
import { Badge, Icon, Score } from "./PlayerBadge";
import { optionTags } from "./optionTags";
import { ratedOptions } from "./ratedOptions";
// Loaded at once, so that the layout is stable while the table loads.
import "./styles/page.css";

const lazy = lazyComponents(() => import("./lazyParts"));
const lazyForm = lazyComponents(() => import("./OptionsForm"));

export const game: OwnGameParts<"mahjong"> = {
  order: 4,
  Board: lazy(({ Board }) => Board, <div class="board" />),
  Badge,
  Score,
  Icon,
  LobbyPicture,
  OptionsForm: lazyForm(({ OptionsForm }) => OptionsForm, null),
  MoreOptionsForm: lazyForm(({ MoreOptionsForm }) => MoreOptionsForm, null),
  LobbyExtra: ScoreCalculatorButton,
  playersOnBoard: true,
  statusOnBoard: true,
  defaultOptions: { tiles: 16 },
  ratedOptions,
  twistOf: ({ tiles = 13 }) => String(tiles),
  ratingCategory: ({ tiles = 13 }) => `mahjong-${tiles}`,
  clockPresets: [null, { move: 20_000 }],
  usesRandomness: () => true,
  drawVerification: { rules: RULES_NUMBER, load: () => import("./verifyRandomness").then(({ verifyGame }) => verifyGame) },
  visiblePart,
  handOf: ({ place = 0, streak = 0 }) => `${place} ${streak}`,
  boardDrawing: () => import("./boardDrawing").then(({ boardDrawing }) => boardDrawing),
  hidesInformation: () => true,
  twistName: (twist, { games: { mahjong } }) => (twist === "13" ? mahjong.tags.thirteen : twist === "16" ? mahjong.tags.sixteen : twist),
  tags: optionTags,
  tone: toneOf,
  movesItself: (position) => import("./lazyParts").then(({ movesItself }) => movesItself(position)),
  sounds: () => import("./sounds").then(({ sounds }) => sounds),
  offerKinds: [],
  possibleOffers: () => [],
  heading: (position, text) => roundText(fullPosition(position), text),
  status: mahjongStatus,
  announce: announceMahjong,
};

/** Opens the score calculator. */
function ScoreCalculatorButton() {
  const open = useSignal(false);
  return (
    <>
      <button onClick={() => (open.value = true)}>
        {texts.value.games.mahjong.calculator}
      </button>
      {open.value && <ScoreCalculator onClose={() => (open.value = false)} />}
    </>
  );
}

function toneOf(event: RoomEvent | Games["mahjong"]["event"]): ToneName | null {
  switch (event.e) {
    case "discarded":
      return "move";
    case "melded":
      return event.meld.form === "chow" || event.meld.form === "pong" ? event.meld.form : "kong";
    case "hand_started":
      return "deal";
    case "drew":
      // Only the own draw is heard.
      return event.tile == null ? null : "draw";
    case "hand_ended":
      return event.position.result?.winners?.length ? "win" : "lost";
    default:
      return null;
  }
}
