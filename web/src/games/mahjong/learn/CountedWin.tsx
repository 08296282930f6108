/** A won hand in a lesson: its tiles, its tai line by line, and who pays what. */

import { useSignal } from "@preact/signals";
import type { MahjongPattern } from "../../../net/protocol";
import { Patterns, Payments, WinningTiles } from "../lazyParts";
import type { FullPosition } from "../position";
import type { MahjongScene } from "../tiles/tileNames";
import { lessonTexts } from "./lessonTexts";

interface CountedWinProps {
  scene: MahjongScene;
  game: FullPosition;
  step: string;
}

export function CountedWin({ scene, game, step }: CountedWinProps) {
  const { texts } = scene;
  const winner = game.result!.winners![0]!;
  const { melds, flowers } = game.players[winner.seat]!;
  const dealer = game.result!.dealer ?? [];
  const counting = step === "tai";
  return (
    <section class="mj-lesson-win" aria-label={texts.games.mahjong.table.result}>
      <WinningTiles winner={winner} melds={melds} flowers={flowers} texts={texts} />
      {counting ? <LineByLine patterns={winner.patterns} total={winner.tai} /> : <Patterns patterns={[...winner.patterns, ...dealer]} total={sum([...winner.patterns, ...dealer])} />}
      {!counting && <Payments scene={scene} game={game} result={game.result!} />}
    </section>
  );
}

const sum = (patterns: readonly MahjongPattern[]) => patterns.reduce((total, { tai }) => total + tai, 0);

/** Each press counts one line and says why it counts. */
function LineByLine({ patterns, total }: { patterns: readonly MahjongPattern[]; total: number }) {
  const shown = useSignal(0);
  const text = lessonTexts.value!;
  const last = patterns[shown.value - 1];
  const why = last && text.patterns[last.name.split(" ")[0] as keyof typeof text.patterns];
  return (
    <>
      <div class="mj-lesson-count">
        {shown.value < patterns.length && <button onClick={() => (shown.value += 1)}>{text.table.countNext}</button>}
        <p role="status">{why}</p>
      </div>
      <Patterns patterns={patterns} total={total} shown={shown.value < patterns.length ? shown.value : Infinity} />
    </>
  );
}
