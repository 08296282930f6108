/** Status line and event texts of mahjong. */

import type { Games, RoomEvent } from "../../net/protocol";
import type { Status } from "../gameInterface";
import { autoActions } from "./autoActions";
import { offeredActions } from "./table/availableActions";
import { drawsCovered, isCovered } from "./table/coveredDraw";
import { roundText, tileName, tileNames, windName, type MahjongScene } from "./tiles/tileNames";
import { fullPosition, fullPrivateView, isHandOver } from "./position";

type Event = RoomEvent | Games["mahjong"]["event"];

/** Status line; players are named by their wind. */
export function mahjongStatus({ room, position, you, mayMove, draft, texts, nameAt }: MahjongScene): Status | null {
  if (position === null || room.phase !== "playing") return null;
  const game = fullPosition(position);
  const text = texts.games.mahjong.status;
  const privateView = game.private && fullPrivateView(game.private);
  if (isHandOver(game)) return { text: text.over, mine: false };
  if (game.stage === "claiming") {
    if (privateView === null || you === null || !room.to_act.includes(you)) return { text: text.claims, mine: false };
    const claims = offeredActions(game, privateView, autoActions.value).filter(({ action }) => action !== "pass");
    if (claims.length === 0) return { text: text.claims, mine: false };
    if (privateView.answer !== null) return { text: text.waits, mine: false };
    const names = claims.map(({ action }) => texts.games.mahjong.actions[action]).join(text.or);
    const isDiscard = game.claim_window === "" && game.discarder !== null && game.tile !== null;
    const asked = isDiscard ? text.claimOf(nameAt(game.discarder!), tileName(game.tile!, texts), names) : text.claim(names);
    return { text: asked, mine: true };
  }
  if (game.turn !== you) return { text: text.turnOf(windName(game, game.turn, texts)), mine: false };
  if (isCovered(room, game, privateView)) return { text: text.draw, mine: true };
  const aimed = mayMove && draft?.do === "discard" ? draft.tile : null;
  const held = aimed !== null && privateView !== null && (aimed === privateView.drawn || privateView.tiles.includes(aimed));
  return { text: held ? text.raised(tileName(aimed, texts)) : text.discard, mine: true };
}

/** Return the announcement of an event; only what the viewer knows. */
export function announceMahjong(event: Event, scene: MahjongScene): string | null {
  const { position, texts, you } = scene;
  const text = texts.games.mahjong;
  if (position === null) return null;
  const game = fullPosition(position);
  const who = (seat: number) => windName(game, seat, texts);
  switch (event.e) {
    case "discarded": {
      const announcement = text.discards(who(event.seat), tileName(event.tile, texts));
      return event.ready ? texts.punctuation.sentences(announcement, text.declares(who(event.seat))) : announcement;
    }
    case "drew": {
      const shown = event.flowers?.length ? text.flowers(who(event.seat), tileNames(event.flowers, texts)) : "";
      const tile = event.seat === you && typeof event.tile === "number" ? event.tile : null;
      const mine = tile === null ? "" : drawsCovered() ? text.status.draw : text.youDrew(tileName(tile, texts));
      return texts.punctuation.sentences(...[shown, mine].filter(Boolean)) || null;
    }
    case "melded": {
      const tile = event.meld.taken ?? event.meld.tiles?.[0];
      return text.melds[event.meld.form](who(event.seat), tile === undefined ? "" : tileName(tile, texts));
    }
    case "private_view_changed": {
      if (isCovered(scene.room, game, fullPrivateView(event.private))) return null;
      const actions = offeredActions(game, fullPrivateView(event.private), autoActions.value).map(({ action }) => text.actions[action]);
      return actions.length ? text.youMay(actions.join(text.comma)) : null;
    }
    case "hand_started":
      return text.began(roundText(game, texts), who(game.dealer));
    case "hand_ended": {
      const winners = game.result?.winners ?? [];
      if (winners.length === 0) return text.nobody;
      return texts.punctuation.sentences(...winners.map(({ seat, drawn }) => text.wins(who(seat), drawn)));
    }
    default:
      return null;
  }
}
