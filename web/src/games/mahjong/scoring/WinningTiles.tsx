/** The tiles of a win: hand, winning tile, melds and flowers. */

import type { Texts } from "../../../i18n/types";
import type { MahjongMeld, MahjongWinner } from "../../../net/protocol";
import { Meld } from "../table/PlayerSide";
import { Back, Tile } from "../tiles/Tile";
import { tileName, tileNames } from "../tiles/tileNames";

interface WinningTilesProps {
  winner: MahjongWinner;
  melds: readonly MahjongMeld[];
  flowers: readonly number[];
  /** Number of tiles that are turned over, from the left. */
  shown?: number;
  texts: Texts;
}

export function WinningTiles({ winner, melds, flowers, shown = Infinity, texts }: WinningTilesProps) {
  const { hand, win, seat } = winner;
  const rest = hand.filter((tile) => tile !== win);
  const { table } = texts.games.mahjong;
  return (
    <div class="mj-laid">
      <span class="mj-set" role="img" aria-label={tileNames(rest, texts)}>
        {rest.map((tile, number) => (number < shown ? <Tile key={tile} tile={tile} class="mj-turned" /> : <Back key={tile} />))}
      </span>
      <span class="mj-set mj-winning">
        {rest.length < shown ? <Tile tile={win} class="mj-turned" label={texts.punctuation.labelled(table.winning, tileName(win, texts))} /> : <Back />}
      </span>
      {melds.map((set, number) => (
        <Meld key={number} set={set} seat={seat} texts={texts} />
      ))}
      {flowers.length > 0 && (
        <span class="mj-set mj-laid-flowers" role="img" aria-label={tileNames(flowers, texts)}>
          {flowers.map((tile) => (
            <Tile key={tile} tile={tile} />
          ))}
        </span>
      )}
    </div>
  );
}
