/** What our own hand lacks, in one quiet line. */

import { text } from "../../i18n/mahjong/table";
import type { Words } from "../../i18n/words";
import type { MahjongWait } from "../../wire";
import type { Move } from "./choices";
import type { FullOwn } from "./position";
import { Kind } from "./tile";
import { kindOf } from "./tiles";

interface HintsProps {
  own: FullOwn;
  /** A tile that is raised shows what it would leave. */
  draft: Move | null;
  words: Words;
}

export function HintLine({ own, draft, words }: HintsProps) {
  const { shanten = null, waits = [], keeps = [] } = own.hints!;
  const said = text.value;
  const aimed = draft?.do === "discard" ? kindOf(draft.tile) : null;
  const kept = keeps.find(({ kind }) => kind === aimed);
  const few = kept ? [kept] : keeps.slice(0, 3);
  if (waits.length > 0) {
    return (
      <p class="mj-hints">
        <strong>{said.isReady}</strong> <Waits waits={waits} words={words} />
      </p>
    );
  }
  if (few.length > 0) {
    return (
      <p class="mj-hints">
        {few.map(({ kind, waits: then }) => (
          <span key={kind} class="mj-keep">
            {(then.length ? said.keep : said.keepOnly)(words.mahjong.tiles[kind] ?? "")} <Waits waits={then} words={words} />
          </span>
        ))}
      </p>
    );
  }
  if (shanten === null) return <span />;
  return <p class="mj-hints">{shanten < 0 ? said.complete : shanten === 0 ? said.isReady : said.away(shanten)}</p>;
}

function Waits({ waits, words }: { waits: readonly MahjongWait[]; words: Words }) {
  const said = text.value;
  return (
    <>
      {waits.map(({ kind, unseen, tai, drawn }) => {
        const worth = tai === drawn ? said.tai(tai) : said.taiBetween(Math.min(tai, drawn), Math.max(tai, drawn));
        return (
          <span key={kind} class={`mj-wait ${unseen ? "" : "mj-wait-none"}`}>
            <Kind kind={kind} label={words.mahjong.tiles[kind] ?? ""} />
            <span>
              {said.unseen(unseen)} <small>{worth}</small>
            </span>
          </span>
        );
      })}
    </>
  );
}
