/** One side: discards, tiles and melds of a player. */

import { useMemo } from "preact/hooks";
import { texts } from "../../../i18n/language";
import type { Texts } from "../../../i18n/types";
import type { MahjongMeld, Seat } from "../../../net/protocol";
import { tileName, tileNames, windName } from "../tiles/tileNames";
import { placeDiscards, lastRowSpacing } from "./discardLayout";
import { isHandOver, type FullPosition, type FullPlayer } from "../position";
import { Back, Tile } from "../tiles/Tile";

interface PlayerSideProps {
  game: FullPosition;
  seat: Seat;
  /** 0: own side, 1: right, 2: opposite, 3: left. */
  side: number;
  /** The hand is shown elsewhere. */
  isOwn: boolean;
  texts: Texts;
}

/** Memoised: most events change only one side. */
export function PlayerSide({ game, seat, side, isOwn, texts }: PlayerSideProps) {
  const player = game.players[seat]!;
  const over = isHandOver(game);
  const last = seat === game.discarder && !over ? game.last : null;
  return useMemo(() => {
    const who = windName(game, seat, texts);
    return <SideTiles player={player} who={who} seat={seat} side={side} rack={!isOwn || over} last={last} texts={texts} />;
  }, [player, seat, side, isOwn, over, last, texts]);
}

interface TilesProps {
  player: FullPlayer;
  who: string;
  seat: Seat;
  side: number;
  /** The hand is shown here. */
  rack: boolean;
  /** The last discard, if it is on this side. */
  last: number | null;
  texts: Texts;
}

function SideTiles({ player, who, seat, side, rack, last, texts }: TilesProps) {
  const pool = placeDiscards(player.discards);
  const space = lastRowSpacing(pool);
  return (
    <div class={`mj-side mj-side-${side}`} data-seat={seat}>
      <ol class="mj-discards" aria-label={texts.games.mahjong.table.discardsOf(who)}>
        {pool.map(({ tile, column, row }) => {
          const newest = tile === last;
          const name = tileName(tile, texts);
          return (
            <li
              key={tile}
              class={newest ? "mj-discard mj-last" : "mj-discard"}
              style={{ "--column": row === 2 ? column * space : column, "--row": row }}
            >
              <Tile tile={tile} label={newest ? `${name}${texts.punctuation.comma}${texts.games.mahjong.table.lastDiscard}` : name} />
            </li>
          );
        })}
      </ol>
      <div class="mj-edge">
        {rack && <Rack player={player} who={who} texts={texts} />}
        {player.melds.length > 0 && (
          <div class="mj-sets" role="group" aria-label={texts.games.mahjong.table.setsOf(who)}>
            {player.melds.map((set, number) => (
              <Meld key={number} set={set} seat={seat} texts={texts} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** Tiles in a player's hand; visible when the hand is over. */
function Rack({ player, who, texts }: { player: FullPlayer; who: string; texts: Texts }) {
  if (player.tiles.length > 0) {
    const label = texts.punctuation.labelled(texts.games.mahjong.table.handOf(who, player.count), tileNames(player.tiles, texts));
    return (
      <div class="mj-rack mj-open" role="img" aria-label={label}>
        {player.tiles.map((tile) => (
          <Tile key={tile} tile={tile} />
        ))}
      </div>
    );
  }
  return (
    <div class="mj-rack" role="img" aria-label={texts.games.mahjong.table.handOf(who, player.count)}>
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
