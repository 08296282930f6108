/** What lies before a player: discards towards the middle, tiles and sets at the edge. */

import { useMemo } from "preact/hooks";
import { text } from "../../i18n/mahjong/table";
import type { Words } from "../../i18n/words";
import type { MahjongSet, Seat } from "../../wire";
import { tileName, tileNames, windName } from "./names";
import { lying, spacing } from "./pool";
import { isOver, type Full, type FullPlayer } from "./position";
import { Back, Tile } from "./tile";

interface SideProps {
  game: Full;
  seat: Seat;
  /** 0 is ours, 1 to our right, 2 opposite, 3 to our left. */
  place: number;
  /** The hand is shown elsewhere. */
  own: boolean;
  words: Words;
}

/** Drawn again only when something has changed there: most of what happens at a table happens to somebody else. */
export function Side({ game, seat, place, own, words }: SideProps) {
  const player = game.players[seat]!;
  const over = isOver(game);
  const last = seat === game.dropper && !over ? game.last : null;
  return useMemo(() => {
    const who = windName(game, seat, words);
    return <Lain player={player} who={who} seat={seat} place={place} rack={!own || over} last={last} words={words} />;
  }, [player, seat, place, own, over, last, words]);
}

interface LainProps {
  player: FullPlayer;
  who: string;
  seat: Seat;
  place: number;
  /** The hand is shown here. */
  rack: boolean;
  /** The tile that was discarded last, if it lies here. */
  last: number | null;
  words: Words;
}

function Lain({ player, who, seat, place, rack, last, words }: LainProps) {
  const pool = lying(player.discards);
  const space = spacing(pool);
  return (
    <div class={`mj-side mj-side-${place}`} data-seat={seat}>
      <ol class="mj-pool" aria-label={text.value.discardsOf(who)}>
        {pool.map(({ tile, column, row }) => {
          const newest = tile === last;
          const name = tileName(tile, words);
          return (
            <li
              key={tile}
              class={newest ? "mj-lying mj-last" : "mj-lying"}
              style={{ "--column": row === 2 ? column * space : column, "--row": row }}
            >
              <Tile tile={tile} label={newest ? `${name}, ${text.value.lastDiscard}` : name} />
            </li>
          );
        })}
      </ol>
      <div class="mj-edge">
        {rack && <Rack player={player} who={who} words={words} />}
        {player.sets.length > 0 && (
          <div class="mj-sets" role="group" aria-label={text.value.setsOf(who)}>
            {player.sets.map((set, number) => (
              <Meld key={number} set={set} seat={seat} words={words} />
            ))}
          </div>
        )}
      </div>
    </div>
  );
}

/** A hand that stands before its owner, or lies open when the hand is over. */
function Rack({ player, who, words }: { player: FullPlayer; who: string; words: Words }) {
  if (player.tiles.length > 0) {
    const label = `${text.value.handOf(who, player.count)}: ${tileNames(player.tiles, words)}`;
    return (
      <div class="mj-rack mj-open" role="img" aria-label={label}>
        {player.tiles.map((tile) => (
          <Tile key={tile} tile={tile} />
        ))}
      </div>
    );
  }
  return (
    <div class="mj-rack" role="img" aria-label={text.value.handOf(who, player.count)}>
      {Array.from({ length: player.count }, (_, number) => (
        <Back key={number} class={number === player.count - 1 && player.count % 3 === 2 ? "mj-drawn" : ""} />
      ))}
    </div>
  );
}

/** A set on the table; the claimed tile lies across, on the side of whoever discarded it. */
export function Meld({ set, seat, words }: { set: MahjongSet; seat: Seat; words: Words }) {
  const { form, tiles = [], taken = null, source = null } = set;
  if (form === "ckong") {
    const inner = tiles.slice(1, 3);
    const name = tiles[0] === undefined ? "" : ` ${tileName(tiles[0], words)}`;
    return (
      <span class="mj-set" role="img" aria-label={`${text.value.concealed}${name}`}>
        <Back />
        {inner.length ? inner.map((tile) => <Tile key={tile} tile={tile} />) : [<Back key={0} />, <Back key={1} />]}
        <Back />
      </span>
    );
  }
  const rest = tiles.filter((tile) => tile !== taken);
  const from = source === null ? 0 : (source - seat + 4) % 4;
  // From the left it lies first, from the right last, from across in the middle.
  const at = from === 3 ? 0 : from === 2 ? 1 : rest.length;
  const order = taken === null ? rest : [...rest.slice(0, at), taken, ...rest.slice(at)];
  const deed = words.mahjong.deeds[form === "akong" ? "kong" : form];
  return (
    <span class="mj-set" role="img" aria-label={`${deed} ${tileNames(tiles, words)}`}>
      {order.map((tile) => (
        <Tile key={tile} tile={tile} class={tile === taken ? "mj-across" : ""} />
      ))}
    </span>
  );
}
