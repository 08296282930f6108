/** Discards of a player, in rows before the seat. */

import { useMemo } from "preact/hooks";
import type { Texts } from "../../../i18n/types";
import type { Seat } from "../../../net/protocol";
import { isHandOver, type FullPosition } from "../position";
import { Tile } from "../tiles/Tile";
import { tileName, windName } from "../tiles/tileNames";
import { LONG_ROWS, placeDiscards } from "./discardLayout";

interface DiscardPoolProps {
  game: FullPosition;
  seat: Seat;
  /** 0: own side, 1: right, 2: opposite, 3: left. */
  side: number;
  texts: Texts;
}

/** Memoised: most events change only one pool. */
export function DiscardPool({ game, seat, side, texts }: DiscardPoolProps) {
  const { discards, wind } = game.players[seat]!;
  const last = seat === game.discarder && !isHandOver(game) ? game.last : null;
  return useMemo(() => {
    const { table } = texts.games.mahjong;
    const long = placeDiscards(discards, LONG_ROWS);
    return (
      <div class={`mj-side mj-side-${side}`} data-seat={seat}>
        <ol class="mj-discards" aria-label={table.discardsOf(windName(game, seat, texts))}>
          {placeDiscards(discards).map(({ tile, column, row }, number) => {
            const newest = tile === last;
            const name = tileName(tile, texts);
            return (
              <li
                key={tile}
                class={newest ? "mj-discard mj-last" : "mj-discard"}
                style={{ "--column": column, "--row": row, "--long-column": long[number]!.column, "--long-row": long[number]!.row }}
              >
                <Tile tile={tile} label={newest ? `${name}${texts.punctuation.comma}${table.lastDiscard}` : name} />
              </li>
            );
          })}
        </ol>
      </div>
    );
  }, [discards, wind, seat, side, last, texts]);
}
