/** Chart of the scores after each hand of a match. */

import { mediaQuery } from "../../../common/windowSize";
import type { FullPosition } from "../position";
import { changeText, scoreText } from "../scoring/scoreText";
import type { MahjongScene } from "../tiles/tileNames";
import { axisMarks, dealOf, scoreCourses, spreadLabels } from "./standings";

const isNarrow = mediaQuery("(max-width: 36rem)");
/** Space for labels around the chart. */
const [LEFT, RIGHT, TOP, BOTTOM] = [46, 104, 24, 26];
const LABEL_GAP = 17;

export function ScoreChart({ scene, game }: { scene: MahjongScene; game: FullPosition }) {
  const { texts, nameAt, you } = scene;
  const { mahjong } = texts.games;
  const text = mahjong.table.final;
  const [width, height] = isNarrow.value ? [350, 250] : [560, 290];
  const courses = scoreCourses(game);
  const marks = axisMarks(courses.flat());
  const [low, high] = [marks[0]!, marks.at(-1)!];
  const count = game.hands.length;
  const x = (hand: number) => LEFT + ((width - LEFT - RIGHT) * hand) / Math.max(1, count);
  const y = (score: number) => TOP + ((height - TOP - BOTTOM) * (high - score)) / (high - low);
  const names = spreadLabels(courses.map((course) => y(course.at(-1)!)), LABEL_GAP, TOP, height - BOTTOM);
  const every = Math.ceil((count + 1) / ((width - LEFT - RIGHT) / 44));
  const best = game.best === null ? undefined : game.hands[game.best.hand];
  const order = game.players.map((_, seat) => seat).sort((one, other) => Number(one === you) - Number(other === you));
  return (
    <figure class="mj-chart">
      <svg viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
        {marks.map((mark) => (
          <g key={mark} class={mark === 0 ? "mj-chart-zero" : ""}>
            <path class="mj-chart-grid" d={`M${LEFT} ${y(mark)}H${width - RIGHT}`} />
            <text class="mj-chart-mark" x={LEFT - 8} y={y(mark) + 4}>
              {scoreText(mark)}
            </text>
          </g>
        ))}
        {best && <path class="mj-chart-best" d={`M${x(game.best!.hand + 1)} ${TOP}V${height - BOTTOM}`} />}
        {best && <BestGain x={x(game.best!.hand + 1)} gain={changeText(best.delta[game.best!.winner.seat] ?? 0)} />}
        {Array.from({ length: count + 1 }, (_, hand) => hand)
          .filter((hand) => hand % every === 0)
          .map((hand) => (
            <text key={hand} class="mj-chart-hand" x={x(hand)} y={height - 6}>
              {hand === 0 ? text.start : handLabel(hand)}
            </text>
          ))}
        {order.map((seat) => (
          <g key={seat} class={`mj-chart-line mj-chart-line-${lineOf(seat)}`}>
            <path d={courses[seat]!.map((score, hand) => `${hand ? "L" : "M"}${x(hand).toFixed(1)} ${y(score).toFixed(1)}`).join("")} />
            {courses[seat]!.map((score, hand) => (
              <circle key={hand} cx={x(hand)} cy={y(score)} r={seat === you ? 4 : 3} />
            ))}
            <text x={width - RIGHT + 9} y={names[seat]! + 4}>
              {shortName(seat)}
            </text>
          </g>
        ))}
      </svg>
      <ChartTable scene={scene} game={game} courses={courses} label={handLabel} />
    </figure>
  );

  function lineOf(seat: number): number {
    return (seat - (you ?? 0) + 4) % 4;
  }

  function handLabel(hand: number): string {
    const { wind, deal } = dealOf(game.hands[hand - 1]!);
    return text.hand(wind, deal, game.hands[hand - 1]!.streak);
  }

  /** Names fit into the space at the right; the ranking has them in full. */
  function shortName(seat: number): string {
    const letters = [...nameAt(seat)];
    const wide = /\p{Script=Han}/u.test(nameAt(seat));
    const most = wide ? 7 : 12;
    return letters.length > most ? `${letters.slice(0, most - 1).join("")}…` : letters.join("");
  }
}

/** What the best hand won, above the chart. */
function BestGain({ x, gain }: { x: number; gain: string }) {
  const width = 16 + 8 * gain.length;
  return (
    <g class="mj-chart-gain">
      <rect x={x - width / 2} y={1} width={width} height={19} rx={9.5} />
      <text x={x} y={15}>
        {gain}
      </text>
    </g>
  );
}

interface ChartTableProps {
  scene: MahjongScene;
  game: FullPosition;
  courses: readonly (readonly number[])[];
  label: (hand: number) => string;
}

/** The chart as a table, for screen readers. */
function ChartTable({ scene, game, courses, label }: ChartTableProps) {
  const text = scene.texts.games.mahjong.table.final;
  return (
    <div class="hidden">
      <table>
        <caption>{text.course}</caption>
        <thead>
          <tr>
            <td />
            {courses.map((_, seat) => (
              <th key={seat} scope="col">
                {scene.nameAt(seat)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {game.hands.map((_, hand) => (
            <tr key={hand}>
              <th scope="row">{label(hand + 1)}</th>
              {courses.map((course, seat) => (
                <td key={seat}>{scoreText(course[hand + 1]!)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
