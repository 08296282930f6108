/** End of a match: ranking, course of the scores, best hand. */

import type { ComponentChildren } from "preact";
import { href } from "../../../app/route";
import { Avatar } from "../../../common/Avatar";
import { ActionIcon } from "../../../table/actions/ActionIcon";
import { RematchCount } from "../../../table/result/RematchCount";
import { ResultPanel } from "../../../table/result/ResultPanel";
import { SeatRatingText } from "../../../ratings/RatingText";
import type { MahjongOptions } from "../../../net/protocol";
import type { FullPosition } from "../position";
import { changeText } from "../scoring/scoreText";
import { WinningTiles } from "../scoring/WinningTiles";
import type { MahjongScene } from "../tiles/tileNames";
import { ScoreChart } from "./ScoreChart";
import { dealOf, standings, type Standing } from "./standings";
import "../styles/final-ranking.css";

interface FinalRankingProps {
  scene: MahjongScene;
  game: FullPosition;
  status: ComponentChildren;
  actions: ComponentChildren;
  onShowTable: () => void;
}

export function FinalRanking({ scene, game, status, actions, onShowTable }: FinalRankingProps) {
  const { mahjong } = scene.texts.games;
  const text = mahjong.table.final;
  const [first, ...others] = standings(game);
  const { rounds = 4 } = scene.room.options as MahjongOptions;
  return (
    <ResultPanel
      class="mj-final"
      title={text.title}
      detail={status}
      actions={
        <>
          {actions}
          <RematchCount room={scene.room} />
          <button onClick={onShowTable}>{mahjong.table.showTable}</button>
        </>
      }
    >
      <ol class="mj-ranking" aria-label={text.title}>
        <li class="mj-first">
          <p class="mj-first-what">{[mahjong.tags.rounds(rounds), text.hands(game.hands.length)].join(" · ")}</p>
          <span class="mj-wreath">
            <Wreath />
            <Avatar name={scene.nameAt(first!.seat)} />
            <span class="mj-first-rank">{text.rank(1)}</span>
          </span>
          <PlayerResult scene={scene} standing={first!} />
        </li>
        {others.map((standing) => (
          <li key={standing.seat} class="mj-place">
            <span class="mj-rank">{text.rank(standing.rank)}</span>
            <Avatar name={scene.nameAt(standing.seat)} />
            <PlayerResult scene={scene} standing={standing} />
          </li>
        ))}
      </ol>
      {game.hands.length > 0 && (
        <section class="mj-card mj-card-chart" aria-label={text.course}>
          <h2>
            {text.course} <small>{text.courseNote}</small>
          </h2>
          <ScoreChart scene={scene} game={game} />
        </section>
      )}
      <BestHandCard scene={scene} game={game} />
    </ResultPanel>
  );
}

function PlayerResult({ scene, standing: { seat, score, wins, selfDrawn, dealtIn } }: { scene: MahjongScene; standing: Standing }) {
  const text = scene.texts.games.mahjong.table.final;
  return (
    <>
      <span class="mj-ranked">
        <bdi title={scene.nameAt(seat)}>{scene.nameAt(seat)}</bdi>
        {seat === scene.you && <span class="mj-you">{scene.texts.table.you}</span>}
        {scene.live && <SeatRatingText room={scene.room} seat={seat} />}
      </span>
      <span class={`mj-ranked-score ${score < 0 ? "mj-minus" : ""}`}>{changeText(score)}</span>
      <span class="mj-ranked-counts">
        {([[text.wins, wins], [text.selfDrawn, selfDrawn], [text.dealtIn, dealtIn]] as const).map(([label, count]) => (
          <span key={label}>
            {label} <b>{count}</b>
          </span>
        ))}
      </span>
    </>
  );
}

function BestHandCard({ scene, game }: { scene: MahjongScene; game: FullPosition }) {
  const { mahjong } = scene.texts.games;
  const text = mahjong.table.final;
  const { best } = game;
  const hand = best && game.hands[best.hand];
  if (!best || !hand) return null;
  const { winner, melds = [], flowers = [] } = best;
  const { wind, deal } = dealOf(hand);
  const round = [mahjong.round(wind, deal), ...(hand.streak ? [mahjong.streak(hand.streak)] : [])].join(" · ");
  return (
    <section class="mj-card mj-card-best" aria-label={text.best}>
      <h2>
        {text.best} <small>{[round, mahjong.table.winner(scene.nameAt(winner.seat), winner.drawn)].join(" · ")}</small>
      </h2>
      <WinningTiles winner={winner} melds={melds} flowers={flowers} texts={scene.texts} />
      <p class="mj-best-tai">
        <strong>{mahjong.table.tai(winner.tai)}</strong>
        {winner.patterns.map(({ name, tai }) => (
          <span key={name}>
            {mahjong.table.pattern(name)} {tai}
          </span>
        ))}
        <span class="mj-best-gain">{changeText(hand.delta[winner.seat] ?? 0)}</span>
      </p>
      <a class="button mj-best-replay" href={href({ at: "game", room: scene.room.id, match: scene.room.match, hand: best.hand + 1 })}>
        <ActionIcon path="M6 4l10 6-10 6z" />
        {text.watchBest}
      </a>
    </section>
  );
}

/** Leaves on both sides of a portrait. */
function Wreath() {
  const leaves = Array.from({ length: 9 }, (_, number) => 22 + number * 15.5);
  return (
    <svg viewBox="-80 -80 160 160" aria-hidden="true">
      {[1, -1].map((side) => (
        <g key={side} transform={`scale(${side} 1)`}>
          {leaves.map((turn, number) => (
            <path key={turn} d="M0-8C8-4 8 6 0 12C-6 5-6-3 0-8Z" transform={`rotate(${turn}) translate(0 -66) rotate(${number % 2 ? 118 : 62})`} />
          ))}
        </g>
      ))}
    </svg>
  );
}
