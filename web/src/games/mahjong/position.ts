/** A mahjong table's position and what its events do to it. */

import type { MahjongEvent, MahjongForm, MahjongOwn, MahjongPlayer, MahjongPosition, Seat } from "../../wire";

/** A position with nothing left out. */
export type Full = Required<Omit<MahjongPosition, "players">> & { players: readonly FullPlayer[]; sealed: string };
export type FullPlayer = Required<MahjongPlayer>;
export type FullOwn = Required<MahjongOwn>;

/** A position that remembers what was sealed at its deal, if it was seen then. */
export type Kept = MahjongPosition & { sealed?: string };

/** Fill in what the server leaves out. */
export function full(position: Kept): Full {
  return {
    place: 0, label: "1-1", wind: 0, streak: 0, seating: [], choosing: [], opening: [], left: 0, drawable: 0,
    window: "", tile: null, voted: [], last: null, dropper: null, own: null, result: null,
    commitment: "", seed: "", wall: [], sealed: "",
    ...position,
    players: position.players.map(fullPlayer),
  };
}

/** Filled in once: who is the same object as before is drawn as before. */
const filled = new WeakMap<MahjongPlayer, FullPlayer>();

function fullPlayer(player: MahjongPlayer): FullPlayer {
  const known = filled.get(player);
  if (known) return known;
  const made: FullPlayer = { count: 0, tiles: [], sets: [], flowers: [], discards: [], ready: false, ...player };
  filled.set(player, made);
  return made;
}

/** Fill in what the server leaves out of a reader's own part. */
export function fullOwn(own: MahjongOwn): FullOwn {
  return {
    drawn: null, hu: false, pong: false, kong: false, chows: [], kongs: [], barred: [], readies: [],
    vote: null, passed: false, hints: null,
    ...own,
  };
}

/** How many tiles leave the hand for a set. */
const USED: Record<MahjongForm, number> = { chow: 2, pong: 2, kong: 3, ckong: 4, akong: 1 };

/** Return the position after an event; an unknown one changes nothing. */
export function reduce(position: Kept, event: MahjongEvent): Kept {
  switch (event.e) {
    case "thrown":
      return event.dealer === undefined || event.dealer === null
        ? { ...position, stage: "choosing", seating: event.dice }
        : { ...position, stage: "dealing", choosing: event.dice, dealer: event.dealer, turn: event.dealer };
    case "hand_began":
      return { ...event.position, sealed: event.position.commitment ?? "" };
    case "hand_over":
      return { ...event.position, sealed: position.sealed ?? position.commitment ?? "" };
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
      return { ...put, last: tile, dropper: seat };
    }
    case "voted": {
      const own = position.own && event.vote ? { ...position.own, vote: event.vote } : position.own;
      const voted = [...(position.voted ?? []).filter((seat) => seat !== event.seat), event.seat].sort();
      return { ...position, voted, ...(own !== undefined && { own }) };
    }
    case "melded": {
      const { seat, place, set } = event;
      const laid = withPlayer(position, seat, (player) => ({
        ...player,
        count: player.count - USED[set.form],
        sets: [...player.sets.slice(0, place), set, ...player.sets.slice(place + 1)],
      }));
      // A tile that is added to a pong was not discarded just now.
      if (set.form === "akong" || set.source === undefined || set.source === null) return laid;
      return withPlayer(laid, set.source, (player) => ({
        ...player,
        discards: player.discards.map((one) => (one.tile === set.taken ? { ...one, by: seat } : one)),
      }));
    }
    case "turned": {
      const { e: _, window = "", tile = null, ...now } = event;
      return { ...position, ...now, window, tile, voted: [] };
    }
    case "yours":
      return { ...position, own: event.own };
    default:
      return position;
  }
}

function withPlayer(position: Kept, seat: Seat, change: (player: FullPlayer) => MahjongPlayer): Kept {
  const players = position.players.map((player, number) => (number === seat ? change(fullPlayer(player)) : player));
  return { ...position, players: players as unknown as MahjongPosition["players"] };
}

/** Return who sits where as seen from a seat: itself, then to its right, opposite, to its left. */
export function around(bottom: Seat): readonly [Seat, Seat, Seat, Seat] {
  return [bottom, (bottom + 1) % 4, (bottom + 2) % 4, (bottom + 3) % 4];
}

/** Return what of a position can be seen: who has answered a claim is not, only what came of it. */
export function seen({ voted: _, own, ...rest }: MahjongPosition): unknown {
  const { vote: _vote, ...mine } = own ?? {};
  return [rest, mine];
}

/** Tell whether a hand is over. */
export function isOver(position: Pick<MahjongPosition, "stage">): boolean {
  return position.stage === "hand_over" || position.stage === "game_over";
}
