/** What the page says about a game: the line under the table, and events in words. */

import type { Games, RoomEvent } from "../../wire";
import type { Status } from "../game";
import { choicesOf } from "./choices";
import { drawsCovered, isCovered } from "./covered";
import { headingOf, tileName, tileNames, windName, type MahjongScene } from "./names";
import { full, fullOwn, isOver } from "./position";

type Event = RoomEvent | Games["mahjong"]["event"];

/** Says what is waited for; by wind, as at a real table. */
export function statusOf({ room, position, you, mayMove, draft, words }: MahjongScene): Status | null {
  if (position === null || room.phase !== "playing") return null;
  const game = full(position);
  const text = words.mahjong.status;
  const own = game.own && fullOwn(game.own);
  if (isOver(game)) return { text: text.over, mine: false };
  if (game.stage === "claiming") {
    if (own === null || you === null || !room.to_act.includes(you)) return { text: text.claims, mine: false };
    if (own.vote !== null) return { text: text.waits, mine: false };
    const may = choicesOf(game, own).length > 0;
    return { text: may ? text.claim : text.claims, mine: may };
  }
  if (game.turn !== you) return { text: text.turnOf(windName(game, game.turn, words)), mine: false };
  if (isCovered(room, game, own)) return { text: text.draw, mine: true };
  const aimed = mayMove && draft?.do === "discard" ? draft.tile : null;
  const held = aimed !== null && own !== null && (aimed === own.drawn || own.tiles.includes(aimed));
  return { text: held ? text.raised(tileName(aimed, words)) : text.discard, mine: true };
}

/** Say an event in words; nothing of it is more than the reader was told. */
export function announce(event: Event, scene: MahjongScene): string | null {
  const { position, words, you } = scene;
  const text = words.mahjong;
  if (position === null) return null;
  const game = full(position);
  const who = (seat: number) => windName(game, seat, words);
  switch (event.e) {
    case "discarded": {
      const said = text.discards(who(event.seat), tileName(event.tile, words));
      return event.ready ? `${said} ${text.declares(who(event.seat))}` : said;
    }
    case "drew": {
      const shown = event.flowers?.length ? text.flowers(who(event.seat), tileNames(event.flowers, words)) : "";
      const tile = event.seat === you && typeof event.tile === "number" ? event.tile : null;
      const mine = tile === null ? "" : drawsCovered() ? text.status.draw : text.youDrew(tileName(tile, words));
      return [shown, mine].filter(Boolean).join(" ") || null;
    }
    case "melded": {
      const tile = event.set.taken ?? event.set.tiles?.[0];
      return text.melds[event.set.form](who(event.seat), tile === undefined ? "" : tileName(tile, words));
    }
    case "yours": {
      if (isCovered(scene.room, game, fullOwn(event.own))) return null;
      const deeds = choicesOf(game, fullOwn(event.own)).map(({ deed }) => text.deeds[deed]);
      return deeds.length ? text.youMay(deeds.join(text.comma)) : null;
    }
    case "hand_began":
      return text.began(headingOf(game, words), who(game.dealer));
    case "hand_over": {
      const winners = game.result?.winners ?? [];
      if (winners.length === 0) return text.nobody;
      return winners.map(({ seat, drawn }) => text.wins(who(seat), drawn)).join(" ");
    }
    default:
      return null;
  }
}
