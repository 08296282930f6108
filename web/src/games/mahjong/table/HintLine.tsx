/** Line with hints for your hand. */

import type { Texts } from "../../../i18n/types";
import type { MahjongWait } from "../../../net/protocol";
import type { Move } from "./availableActions";
import type { FullPrivateView } from "../position";
import { Kind } from "../tiles/Tile";
import { kindOf } from "../tiles/tiles";

interface HintLineProps {
  privateView: FullPrivateView;
  /** Tile whose discard is previewed. */
  draft: Move | null;
  texts: Texts;
}

export function HintLine({ privateView, draft, texts }: HintLineProps) {
  const { shanten = null, waits = [], ready_discards: readyDiscards = [] } = privateView.hints!;
  const text = texts.games.mahjong.table;
  const aimed = draft?.do === "discard" ? kindOf(draft.tile) : null;
  const preview = readyDiscards.find(({ kind }) => kind === aimed);
  const few = preview ? [preview] : readyDiscards.slice(0, 3);
  if (waits.length > 0) {
    return (
      <p class="mj-hints">
        <strong>{text.isReady}</strong> <Waits waits={waits} texts={texts} />
      </p>
    );
  }
  if (few.length > 0) {
    return (
      <p class="mj-hints">
        {few.map(({ kind, waits: then }) => (
          <span key={kind} class="mj-keep">
            {(then.length ? text.readyAfter : text.readyAfterOnly)(texts.games.mahjong.tiles[kind] ?? "")} <Waits waits={then} texts={texts} />
          </span>
        ))}
      </p>
    );
  }
  if (shanten === null) return <span />;
  return <p class="mj-hints">{shanten < 0 ? text.complete : shanten === 0 ? text.isReady : text.shanten(shanten)}</p>;
}

function Waits({ waits, texts }: { waits: readonly MahjongWait[]; texts: Texts }) {
  const text = texts.games.mahjong.table;
  return (
    <>
      {waits.map(({ kind, unseen, tai, drawn }) => {
        const worth = tai === drawn ? text.tai(tai) : text.taiBetween(Math.min(tai, drawn), Math.max(tai, drawn));
        return (
          <span key={kind} class={`mj-wait ${unseen ? "" : "mj-wait-none"}`}>
            <Kind kind={kind} label={texts.games.mahjong.tiles[kind] ?? ""} />
            <span>
              {text.unseen(unseen)} <small>{worth}</small>
            </span>
          </span>
        );
      })}
    </>
  );
}
