/** The places of a leaderboard. */

import { href } from "../app/route";
import { Avatar } from "../common/Avatar";
import { language, texts } from "../i18n/language";
import type { RatingTexts } from "../i18n/types/ratings";
import type { Leaderboard } from "./ratingsApi";

interface LeaderTableProps {
  text: RatingTexts;
  board: Leaderboard;
  /** The name of the user, if it is that of an account. */
  own: string;
}

export function LeaderTable({ text, board, own }: LeaderTableProps) {
  return (
    <table class="leaders">
      <thead>
        <tr>
          <th scope="col">{text.place}</th>
          <th scope="col">{text.player}</th>
          <th scope="col">{text.rating}</th>
          <th scope="col" class="leaders-games">
            {text.games}
          </th>
          <th scope="col" class="leaders-last">
            {text.last}
          </th>
        </tr>
      </thead>
      <tbody>
        {board.players.map(({ name, rating, games, last }, index) => (
          <tr key={name} class={name === own ? "leader-you" : ""}>
            <td>{index + 1}</td>
            <th scope="row">
              <div>
                <Avatar name={name} />
                <a href={href({ at: "profile", name })}>
                  <bdi title={name}>{name}</bdi>
                </a>
                {name === own && <small class="soft">{texts.value.table.you}</small>}
              </div>
            </th>
            <td class="leader-rating">{Math.round(rating)}</td>
            <td class="leaders-games">{games}</td>
            <td class="leaders-last">
              <time dateTime={new Date(last).toISOString()}>{new Date(last).toLocaleDateString(language.value, { month: "short", day: "numeric" })}</time>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
