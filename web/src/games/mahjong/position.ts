/** Position of mahjong, and how events change it. */

import type { MahjongEvent, MahjongForm, MahjongPrivateView, MahjongPlayer, MahjongPosition, Seat } from "../../net/protocol";

/** Several players may ask for the next hand; a pass after a claim has ended changes nothing. */
export const SHARED_MOVES: readonly string[] = ["next", "pass"];

/** A position with every default filled in. */
export type FullPosition = Required<Omit<MahjongPosition, "players">> & { players: readonly FullPlayer[]; commitmentAtDeal: string };
export type FullPlayer = Required<MahjongPlayer>;
export type FullPrivateView = Required<MahjongPrivateView>;

/** A position that keeps the commitment that was shown at the deal. */
export type StoredPosition = MahjongPosition & { commitmentAtDeal?: string };

/** Fill in the defaults that the server omits. */
export function fullPosition(position: StoredPosition): FullPosition {
  return {
    place: 0, label: "1-1", wind: 0, streak: 0, seating: [], choosing: [], opening: [], left: 0, drawable: 0,
    claim_window: "", tile: null, answered: [], last: null, discarder: null, private: null, result: null,
    commitment: "", seed: "", wall: [], hands: [], best: null, commitmentAtDeal: "",
    ...position,
    players: position.players.map(fullPlayer),
  };
}

/** Cached, so that an unchanged player keeps its identity and is not rendered again. */
const filled = new WeakMap<MahjongPlayer, FullPlayer>();

function fullPlayer(player: MahjongPlayer): FullPlayer {
  const known = filled.get(player);
  if (known) return known;
  const made: FullPlayer = { count: 0, tiles: [], melds: [], flowers: [], discards: [], ready: false, ...player };
  filled.set(player, made);
  return made;
}

/** Fill in the defaults of the private view. */
export function fullPrivateView(privateView: MahjongPrivateView): FullPrivateView {
  return {
    drawn: null, hu: false, pong: false, kong: false, chows: [], kongs: [], barred: [], readies: [],
    answer: null, passed: false, hints: null,
    ...privateView,
  };
}

/** Tiles that leave the hand for a meld. */
const AFTER_TURN: Record<MahjongForm, number> = { chow: 2, pong: 2, kong: 3, ckong: 4, akong: 1 };

/** Return the position after an event; an unknown event changes nothing. */
export function reduce(position: StoredPosition, event: MahjongEvent): StoredPosition {
  switch (event.e) {
    case "dice_rolled":
      return event.dealer === undefined || event.dealer === null
        ? { ...position, stage: "choosing", seating: event.dice }
        : { ...position, stage: "dealing", choosing: event.dice, dealer: event.dealer, turn: event.dealer };
    case "hand_started":
      return { ...event.position, commitmentAtDeal: event.position.commitment ?? "" };
    case "hand_ended":
      return { ...event.position, commitmentAtDeal: position.commitmentAtDeal ?? position.commitment ?? "" };
    case "drew": {
      const { seat, flowers = [], empty = false, waiting = false } = event;
      return withPlayer(position, seat, (player) => ({
        ...player,
        flowers: [...player.flowers, ...flowers],
        count: player.count + (empty || waiting ? 0 : 1),
      }));
    }
    case "discarded": {
      const { seat, tile, ready = false } = event;
      const put = withPlayer(position, seat, (player) => ({
        ...player,
        count: player.count - 1,
        discards: [...player.discards, { tile }],
        ready: player.ready || ready,
      }));
      return { ...put, last: tile, discarder: seat };
    }
    case "claim_answered": {
      const privateView = position.private && event.answer ? { ...position.private, answer: event.answer } : position.private;
      const answered = [...(position.answered ?? []).filter((seat) => seat !== event.seat), event.seat].sort();
      return { ...position, answered, ...(privateView !== undefined && { private: privateView }) };
    }
    case "melded": {
      const { seat, place, meld: set } = event;
      const laid = withPlayer(position, seat, (player) => ({
        ...player,
        count: player.count - AFTER_TURN[set.form],
        melds: [...player.melds.slice(0, place), set, ...player.melds.slice(place + 1)],
      }));
      // An added kong does not use the last discard.
      if (set.form === "akong" || set.source === undefined || set.source === null) return laid;
      return withPlayer(laid, set.source, (player) => ({
        ...player,
        discards: player.discards.map((one) => (one.tile === set.taken ? { ...one, by: seat } : one)),
      }));
    }
    case "turn_changed": {
      const { e: _, claim_window: window = "", tile = null, ...now } = event;
      return { ...position, ...now, claim_window: window, tile, answered: [] };
    }
    case "private_view_changed":
      return { ...position, private: event.private };
    default:
      return position;
  }
}

function withPlayer(position: StoredPosition, seat: Seat, change: (player: FullPlayer) => MahjongPlayer): StoredPosition {
  const players = position.players.map((player, number) => (number === seat ? change(fullPlayer(player)) : player));
  return { ...position, players: players as unknown as MahjongPosition["players"] };
}

/** Return the seats as seen from one: itself, right, opposite, left. */
export function seatsAround(bottom: Seat): readonly [Seat, Seat, Seat, Seat] {
  return [bottom, (bottom + 1) % 4, (bottom + 2) % 4, (bottom + 3) % 4];
}

/** Return the visible part of a position, without the answers to a claim. */
export function visiblePart({ answered: _, private: privateView, ...rest }: MahjongPosition): unknown {
  const { answer: _vote, ...mine } = privateView ?? {};
  return [rest, mine];
}

/** Tell whether a hand is over. */
export function isHandOver(position: Pick<MahjongPosition, "stage">): boolean {
  return position.stage === "hand_over" || position.stage === "game_over";
}
