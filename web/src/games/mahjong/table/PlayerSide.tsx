/** A seat: plate, flowers, hand and melds of a player. */

import { useMemo } from "preact/hooks";
import type { Texts } from "../../../i18n/types";
import type { MahjongMeld, Seat } from "../../../net/protocol";
import { tileName, tileNames, windName, type MahjongScene } from "../tiles/tileNames";
import type { FullPlayer, FullPosition } from "../position";
import { Back, Tile } from "../tiles/Tile";
import { PlayerPlate } from "./PlayerPlate";

interface PlayerSideProps {
  scene: MahjongScene;
  game: FullPosition | null;
  seat: Seat;
  /** 0: own side, 1: right, 2: opposite, 3: left. */
  side: number;
}

/** The tiles of the own side are in front of the user. */
export function PlayerSide({ scene, game, seat, side }: PlayerSideProps) {
  const { texts, nameAt } = scene;
  const player = game?.players[seat];
  const who = game ? windName(game, seat, texts) : "";
  const sign = texts.games.mahjong.winds[player?.wind ?? 0]?.slice(0, 1) ?? "";
  return (
    <div class={`mj-seat mj-seat-${side}`} style={{ "--sets": player?.melds.length ?? 0 }}>
      <PlayerPlate scene={scene} game={game} seat={seat} />
      {player && player.flowers.length > 0 && <Flowers flowers={player.flowers} who={nameAt(seat)} wind={sign} texts={texts} />}
      {player && side > 0 && <SeatTiles player={player} seat={seat} who={who} wind={sign} texts={texts} />}
    </div>
  );
}

interface FlowersProps {
  flowers: readonly number[];
  who: string;
  /** Sign of the seat's wind, for tiles that lie far from their plate. */
  wind?: string;
  texts: Texts;
}

export function Flowers({ flowers, who, wind, texts }: FlowersProps) {
  const label = texts.punctuation.labelled(texts.games.mahjong.table.flowersOf(who), tileNames(flowers, texts));
  return (
    <div class="mj-flowers" role="img" aria-label={label} data-wind={wind}>
      {flowers.map((tile) => (
        <Tile key={tile} tile={tile} />
      ))}
    </div>
  );
}

interface SeatTilesProps {
  player: FullPlayer;
  seat: Seat;
  who: string;
  wind: string;
  texts: Texts;
}

/** Memoised: most events change only one player. */
function SeatTiles({ player, seat, who, wind, texts }: SeatTilesProps) {
  return useMemo(
    () => (
      <>
        <Rack player={player} who={who} texts={texts} />
        <Melds melds={player.melds} seat={seat} who={who} wind={wind} texts={texts} />
      </>
    ),
    [player, seat, who, wind, texts],
  );
}

interface MeldsProps {
  melds: readonly MahjongMeld[];
  seat: Seat;
  who: string;
  wind?: string;
  texts: Texts;
}

export function Melds({ melds, seat, who, wind, texts }: MeldsProps) {
  if (melds.length === 0) return null;
  return (
    <div class={`mj-sets ${melds.length > 3 ? "mj-sets-many" : ""}`} role="group" data-wind={wind} aria-label={texts.games.mahjong.table.setsOf(who)}>
      {melds.map((set, number) => (
        <Meld key={number} set={set} seat={seat} texts={texts} />
      ))}
    </div>
  );
}

/** Tiles in a player's hand; visible when the hand is over. */
export function Rack({ player, who, texts }: { player: FullPlayer; who: string; texts: Texts }) {
  const { table } = texts.games.mahjong;
  if (player.tiles.length > 0) {
    const label = texts.punctuation.labelled(table.handOf(who, player.count), tileNames(player.tiles, texts));
    return (
      <div class="mj-rack mj-open" role="img" aria-label={label}>
        {player.tiles.map((tile) => (
          <Tile key={tile} tile={tile} />
        ))}
      </div>
    );
  }
  return (
    <div class="mj-rack" role="img" aria-label={table.handOf(who, player.count)}>
      {Array.from({ length: player.count }, (_, number) => (
        <Back key={number} class={number === player.count - 1 && player.count % 3 === 2 ? "mj-drawn" : ""} />
      ))}
    </div>
  );
}

/** A meld; the claimed tile is turned sideways, on the side of its discarder. */
export function Meld({ set, seat, texts }: { set: MahjongMeld; seat: Seat; texts: Texts }) {
  const { form, tiles = [], taken = null, source = null } = set;
  if (form === "ckong") {
    const inner = tiles.slice(1, 3);
    const name = tiles[0] === undefined ? "" : ` ${tileName(tiles[0], texts)}`;
    return (
      <span class="mj-set" role="img" aria-label={`${texts.games.mahjong.table.concealed}${name}`}>
        <Back />
        {inner.length ? inner.map((tile) => <Tile key={tile} tile={tile} />) : [<Back key={0} />, <Back key={1} />]}
        <Back />
      </span>
    );
  }
  const rest = tiles.filter((tile) => tile !== taken);
  const from = source === null ? 0 : (source - seat + 4) % 4;
  // From the left it is first, from the right last, from across in the middle.
  const at = from === 3 ? 0 : from === 2 ? 1 : rest.length;
  const order = taken === null ? rest : [...rest.slice(0, at), taken, ...rest.slice(at)];
  const action = texts.games.mahjong.actions[form === "akong" ? "kong" : form];
  return (
    <span class="mj-set" role="img" aria-label={`${action} ${tileNames(tiles, texts)}`}>
      {order.map((tile) => (
        <Tile key={tile} tile={tile} class={tile === taken ? "mj-across" : ""} />
      ))}
    </span>
  );
}
