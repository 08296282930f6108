/** Result of a hand: tiles that are turned over, tai that are counted, payments, verification. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Avatar } from "../../../common/Avatar";
import { texts } from "../../../i18n/language";
import type { MahjongOptions, MahjongPattern, MahjongWinner } from "../../../net/protocol";
import { NextHandButton } from "../table/ClaimButtons";
import { playerLabel, roundText, windName, type MahjongScene } from "../tiles/tileNames";
import type { FullPosition } from "../position";
import { Payments } from "./Payments";
import type { ShownResult } from "./resultView";
import { ScoreCalculator } from "./lazyCalculator";
import { changeText } from "./scoreText";
import { requestFromResult } from "./scoreRequest";
import { factsOf, loadTaiNotes, taiNote, taiNotes, type WinFacts } from "./taiNotes";
import { useSteps } from "./useSteps";
import { VerifyWallButton, WallVerdict } from "./VerifyWallButton";
import type { WallVerification } from "./verifyWall";
import { WinningTiles } from "./WinningTiles";
import "./patterns.css";

/** Milliseconds for each tile that is turned over, and for each line of tai. */
const TILE_TIME = 55;
const TAI_TIME = 250;

interface HandResultProps {
  scene: MahjongScene;
  game: FullPosition;
  shown: ShownResult;
}

export function HandResult({ scene, game, shown }: HandResultProps) {
  const text = texts.value.games.mahjong.table;
  const verification = useSignal<WallVerification | null>(null);
  const winners = game.result?.winners ?? [];
  const tiles = Math.max(0, ...winners.map(({ hand }) => hand.length));
  const lines = Math.max(0, ...winners.map(({ patterns }) => patterns.length));
  const delays = [...Array<number>(tiles).fill(TILE_TIME), ...Array<number>(winners.length ? lines + 1 : 0).fill(TAI_TIME)];
  const [step, skip] = useSteps(delays, shown.animated);
  useEffect(loadTaiNotes, []);
  const { result } = game;
  if (result === null) return null;
  const { payer = null } = result;
  const { base = 100, unit = 20 } = scene.room.options as MahjongOptions;
  const finished = step >= delays.length;
  const verify = async () => {
    const { verifyWall } = await import("./verifyWall");
    verification.value = verifyWall(game);
  };
  const matchOver = scene.room.phase === "over";
  const isNext = game.stage === "hand_over" && scene.you !== null && scene.room.phase === "playing";
  return (
    <section class={`mj-result ${winners.length > 1 ? "mj-result-several" : ""}`} aria-label={text.result} onClick={skip}>
      <div class="mj-result-body" tabIndex={0}>
        {winners.length === 0 && <h2 class="mj-drawn-hand">{text.nobody}</h2>}
        {winners.map((winner) => (
          <Win key={winner.seat} scene={scene} game={game} winner={winner} step={step} lines={step - tiles} finished={finished} />
        ))}
        <div class={`mj-settled ${finished ? "" : "mj-later"}`}>
          {winners.length > 0 && (
            <p class="mj-paying">
              {payer === null ? text.paysAll : text.pays(playerLabel(scene, game, payer))}
              <span class="soft">{text.stakes(base, unit)}</span>
            </p>
          )}
          {winners.length > 1 && <DealerBonus scene={scene} game={game} />}
          <Payments scene={scene} game={game} result={result} />
        </div>
        {verification.value && <WallVerdict game={game} rules={scene.rules} proof={verification.value} />}
      </div>
      <div class="mj-result-foot">
        {winners[0] && <CalculateButton scene={scene} game={game} winner={winners[0]} />}
        {game.seed && <VerifyWallButton open={verification.value !== null} onVerify={() => void verify()} />}
        <span class="mj-foot-space" />
        {!finished && (
          <button class="mj-skip" onClick={skip}>
            {text.skip}
          </button>
        )}
        <button onClick={() => shown.show("table")}>{text.showTable}</button>
        {matchOver && (
          <button class="primary mj-next" onClick={() => shown.show("ranking")}>
            {text.final.title}
          </button>
        )}
        {isNext && <NextHandButton scene={scene} />}
      </div>
    </section>
  );
}

interface WinProps {
  scene: MahjongScene;
  game: FullPosition;
  winner: MahjongWinner;
  /** Tiles that are turned over, and lines of tai that are counted. */
  step: number;
  lines: number;
  finished: boolean;
}

function Win({ scene, game, winner, step, lines, finished }: WinProps) {
  const { texts, nameAt } = scene;
  const { table } = texts.games.mahjong;
  const { seat, drawn, patterns, tai } = winner;
  const player = game.players[seat]!;
  const counted = finished ? tai : patterns.slice(0, Math.max(0, lines)).reduce((sum, one) => sum + one.tai, 0);
  return (
    <article class="mj-win">
      <header class="mj-win-head">
        <Avatar name={nameAt(seat)} />
        <div class="mj-win-who">
          <h2 aria-label={table.winner(playerLabel(scene, game, seat), drawn)}>
            <bdi>{nameAt(seat)}</bdi> <em>{table.winWord(drawn)}</em>
          </h2>
          <p class="soft">{[roundText(game, texts), windName(game, seat, texts), table.left(game.drawable)].join(" · ")}</p>
        </div>
        <span class={`mj-win-gain ${finished ? "" : "mj-later"}`}>{changeText(game.result?.delta[seat] ?? 0)}</span>
        <span class="mj-tai-seal">{table.tai(counted)}</span>
      </header>
      <WinningTiles winner={winner} melds={player.melds} flowers={player.flowers} shown={step} texts={texts} />
      <div class="mj-win-tai">
        <Patterns patterns={patterns} total={tai} shown={finished ? Infinity : lines} facts={factsOf(game, winner, texts)} />
        {game.result?.winners?.length === 1 && <DealerBonus scene={scene} game={game} later={!finished} />}
      </div>
    </article>
  );
}

/** The tai that are paid to or by the dealer in addition. */
function DealerBonus({ scene, game, later = false }: { scene: MahjongScene; game: FullPosition; later?: boolean }) {
  const { mahjong } = scene.texts.games;
  const { table } = mahjong;
  const { dealer = [], winners = [] } = game.result!;
  if (dealer.length === 0) return null;
  const wins = winners.some(({ seat }) => seat === game.dealer);
  return (
    <p class={`mj-dealer-bonus ${later ? "mj-later" : ""}`}>
      <span>
        {scene.texts.punctuation.labelled(table.dealerTai, dealer.map(({ name, tai }) => `${table.pattern(name)} ${tai}`).join(mahjong.comma))}
        <small>{wins ? table.dealerWins : table.dealerPays(scene.nameAt(game.dealer))}</small>
      </span>
      <b>{`+${table.tai(dealer.reduce((sum, { tai }) => sum + tai, 0))}`}</b>
    </p>
  );
}

function CalculateButton({ scene, game, winner }: Pick<WinProps, "scene" | "game" | "winner">) {
  const counting = useSignal(false);
  const { house = {} } = scene.room.options as MahjongOptions;
  return (
    <>
      <button class="quiet mj-foot-link" onClick={() => (counting.value = true)}>
        {scene.texts.games.mahjong.table.calculator.thisHand}
      </button>
      {counting.value && <ScoreCalculator start={requestFromResult(game, winner, house)} onClose={() => (counting.value = false)} />}
    </>
  );
}

interface PatternsProps {
  patterns: readonly MahjongPattern[];
  total: number;
  /** Number of lines that are counted already. */
  shown?: number;
  /** Says what each pattern counts for in this win. */
  facts?: WinFacts;
}

export function Patterns({ patterns, total, shown = Infinity, facts }: PatternsProps) {
  const text = texts.value.games.mahjong.table;
  const notes = facts && taiNotes();
  return (
    <ul class="mj-patterns">
      {patterns.length === 0 && <li>{text.calculator.none}</li>}
      {patterns.map(({ name, tai }, number) => (
        <li key={name} class={number < shown ? "" : "mj-later"}>
          <span>
            {text.pattern(name)} {notes && <small>{taiNote(notes, name, facts)}</small>}
          </span>{" "}
          <span>{text.tai(tai)}</span>
        </li>
      ))}
      <li class={`mj-total ${patterns.length < shown ? "" : "mj-later"}`}>
        <span>{text.total}</span> <span>{text.tai(total)}</span>
      </li>
    </ul>
  );
}
