/** How the ratings of a category are distributed, as a chart with the own place, and how to get there. */

import { href } from "../app/route";
import { texts } from "../i18n/language";
import type { RatingTexts } from "../i18n/types/ratings";
import { state, time } from "../net/session";
import { barsOf, percentBelow, playersOf, standingOf, type Bar } from "./ratingBars";
import { ProvisionalMark } from "./EndRating";
import type { Leaderboard, Rating } from "./ratingsApi";

const [WIDTH, HEIGHT, TOP, BOTTOM] = [320, 150, 24, 24];
/** Most labels below the bars. */
const LABELS = 6;

interface DistributionProps {
  text: RatingTexts;
  board: Leaderboard;
  /** The rating of the user in this category. */
  own: Rating | undefined;
}

export function Distribution({ text, board, own }: DistributionProps) {
  const standing = standingOf(own, time.now());
  const bars = barsOf(board, own && standing === "ranked" ? own.rating : null);
  return (
    <aside class="distribution" aria-label={text.distribution}>
      {bars.length > 0 && (
        <figure>
          <h2>{text.distribution}</h2>
          <Bars bars={bars} you={texts.value.table.you} />
          <BarTable text={text} bars={bars} bucket={board.bucket} />
        </figure>
      )}
      <OwnPlace text={text} board={board} own={own} />
      <p class="soft">{text.rule}</p>
    </aside>
  );
}

function Bars({ bars, you }: { bars: readonly Bar[]; you: string }) {
  const most = Math.max(...bars.map(({ players }) => players));
  const step = WIDTH / bars.length;
  const every = Math.ceil(bars.length / LABELS);
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {bars.map(({ from, players, own }, index) => {
        const height = ((HEIGHT - TOP - BOTTOM) * players) / most;
        const middle = (index + 0.5) * step;
        return (
          <g key={from} class={own ? "bar-own" : ""}>
            <rect x={index * step + 1} y={HEIGHT - BOTTOM - height} width={Math.max(1, step - 2)} height={height} rx={Math.min(3, step / 4)} />
            {own && (
              <>
                <path d={`M${middle} ${TOP - 8}V${HEIGHT - BOTTOM - height}`} />
                <text x={Math.min(WIDTH - 16, Math.max(16, middle))} y={TOP - 12}>
                  {you}
                </text>
              </>
            )}
            {index % every === 0 && (
              <text class="bar-label" x={Math.min(WIDTH - 16, Math.max(16, middle))} y={HEIGHT - 6}>
                {from}
              </text>
            )}
          </g>
        );
      })}
      <path d={`M0 ${HEIGHT - BOTTOM}H${WIDTH}`} />
    </svg>
  );
}

/** The chart as a table, for screen readers. */
function BarTable({ text, bars, bucket }: { text: RatingTexts; bars: readonly Bar[]; bucket: number }) {
  return (
    <div class="hidden">
      <table>
        <thead>
          <tr>
            <th scope="col">{text.rating}</th>
            <th scope="col">{text.playersHead}</th>
          </tr>
        </thead>
        <tbody>
          {bars.map(({ from, players, own }) => (
            <tr key={from}>
              <th scope="row">
                {from}–{from + bucket - 1}
                {own && ` ${texts.value.table.you}`}
              </th>
              <td>{players}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The own rating, or what is missing for a place. */
function OwnPlace({ text, board, own }: DistributionProps) {
  if (!state.value.account) {
    return (
      <p>
        <a href={href({ at: "account" })}>{texts.value.rated.signIn}</a>
      </p>
    );
  }
  const standing = standingOf(own, time.now());
  if (!own) return <p>{text.standing.none}</p>;
  const others = playersOf(board) - 1;
  return (
    <div class={own.provisional ? "own-place rating-provisional" : "own-place"}>
      <p>
        <span class="soft">{text.yours}</span>
        <span class="rating-number">
          {Math.round(own.rating)}
          {own.provisional && <ProvisionalMark text={text} />}
        </span>
      </p>
      <p class="soft">{standing === "ranked" ? (others > 0 ? text.betterThan(percentBelow(board, own.rating), others) : "") : text.standing[standing]}</p>
    </div>
  );
}
