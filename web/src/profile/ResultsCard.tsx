/** Results in numbers: all, by game and twist, against people and bots; streaks. */

import { GameIcon } from "../common/GameIcon";
import { gameName, texts } from "../i18n/language";
import type { ProfileTexts } from "../i18n/types/profile";
import type { GameResult, Profile, ResultCount } from "./profileApi";
import { twistName } from "./twistName";

const RESULTS: readonly GameResult[] = ["won", "drawn", "lost"];
type Numbers = Record<GameResult, number>;

/** Return how many games ended with each result. */
export function sumOf(counts: readonly ResultCount[]): Numbers {
  const sum: Numbers = { won: 0, drawn: 0, lost: 0 };
  for (const [, , , result, games] of counts) if (result) sum[result] += games;
  return sum;
}

interface CardProps {
  text: ProfileTexts;
  profile: Profile;
}

export function ResultsCard({ text, profile }: CardProps) {
  const counts = profile.results.filter(([, , , result]) => result !== "");
  const all = sumOf(counts);
  const total = all.won + all.drawn + all.lost;
  if (total === 0) return null;
  const kinds = [...new Set(counts.map(([game, twist]) => `${game}/${twist}`))].map((kind) => {
    const [game = "", twist = ""] = kind.split("/");
    return { game, twist, sum: sumOf(counts.filter((count) => count[0] === game && count[1] === twist)) };
  });
  const played = ({ sum }: { sum: Numbers }) => sum.won + sum.drawn + sum.lost;
  const rows = [
    ...kinds.sort((one, other) => played(other) - played(one)).map(({ game, twist, sum }) => ({ icon: game, label: [gameName(game), twistName(game, twist)].filter(Boolean).join(" · "), sum })),
    ...(["people", "bots"] as const).map((kind) => ({ icon: "", label: text.against[kind], sum: sumOf(counts.filter(([, , against]) => against === kind)) })),
  ].filter((row) => played(row) > 0);
  return (
    <section class="profile-card" aria-labelledby="results-title">
      <h2 id="results-title">{text.results}</h2>
      <Bar sum={all} />
      <ul class="profile-legend">
        {RESULTS.map((result) => (
          <li key={result}>
            <b>{all[result]}</b> {text.counted[result]}
          </li>
        ))}
      </ul>
      <table class="profile-results">
        <thead class="hidden">
          <tr>
            <th scope="col">{texts.value.finishedGames.game}</th>
            {RESULTS.map((result) => (
              <th key={result} scope="col">
                {text.counted[result]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ icon, label, sum }) => (
            <tr key={label}>
              <th scope="row">
                {icon && <GameIcon game={icon} />} {label}
              </th>
              {RESULTS.map((result) => (
                <td key={result} class={`number-${result}`}>
                  {sum[result]}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** It shows nothing that the numbers below do not say. */
function Bar({ sum }: { sum: Numbers }) {
  return (
    <div class="profile-bar" aria-hidden="true">
      {RESULTS.map((result) => sum[result] > 0 && <i key={result} class={`bar-${result}`} style={{ flexGrow: sum[result] }} />)}
    </div>
  );
}

export function Streaks({ text, profile }: CardProps) {
  const { streak, longest_wins } = profile;
  const rows = [
    ...(longest_wins > 1 ? [[text.longestWins, text.wins(longest_wins)] as const] : []),
    ...(streak.result && streak.games > 1 ? [[text.streak, text.streakOf[streak.result](streak.games)] as const] : []),
  ];
  if (rows.length === 0) return null;
  return (
    <dl class="profile-facts">
      {rows.map(([label, value]) => (
        <div key={label}>
          <dt class="soft">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
