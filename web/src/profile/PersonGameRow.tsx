/** A finished game of a person: result, opponents, how it ended, and its replay. */

import { href } from "../app/route";
import { GameIcon } from "../common/GameIcon";
import { gameName, language, reasonText, texts } from "../i18n/language";
import type { ProfileTexts } from "../i18n/types/profile";
import { playerName } from "../replay/finishedGamesApi";
import { PlayerLink } from "./PlayerLink";
import type { GameResult, PersonGame } from "./profileApi";
import { twistName } from "./twistName";

/** Return how a game ended for its person; null if the seat is not known. */
export function resultFor({ seat, winners }: PersonGame): GameResult | null {
  if (seat === null) return null;
  return winners.length === 0 ? "drawn" : winners.includes(seat) ? "won" : "lost";
}

export function PersonGameRow({ text, game }: { text: ProfileTexts; game: PersonGame }) {
  const { myGames, finishedGames } = texts.value;
  const result = resultFor(game);
  const day = new Date(game.ended);
  const others = game.names.flatMap((name, seat) => (name && seat !== game.seat ? [seat] : []));
  const facts = [gameName(game.game), twistName(game.game, game.twist), reasonText(game.game, game.reason), finishedGames.moves(game.moves), game.public ? "" : myGames.private];
  return (
    <li class="person-game">
      {result ? (
        <span class={`result-letter result-${result}`}>
          <span aria-hidden="true">{text.letters[result]}</span>
          <span class="hidden">{myGames[result]}</span>
        </span>
      ) : (
        <span />
      )}
      <GameIcon game={game.game} />
      <div class="person-game-text">
        <span class="person-game-names">
          {others.map((seat) => (
            <PlayerLink key={seat} game={game} seat={seat} />
          ))}
        </span>
        <span class="soft">
          {facts.filter(Boolean).join(" · ")} · <time dateTime={day.toISOString()}>{day.toLocaleDateString(language.value, { dateStyle: "medium" })}</time>
        </span>
      </div>
      <a class="person-game-replay" href={href({ at: "game", room: game.room, match: game.match })} aria-label={`${finishedGames.watch}: ${others.map((seat) => playerName(game, seat)).join(", ")}, ${day.toLocaleString(language.value)}`}>
        <svg viewBox="0 0 20 20" aria-hidden="true">
          <path d="M4.200 8A6.300 6.300 0 1 1 3.700 11M4 4v4.200h4.200" />
        </svg>
      </a>
    </li>
  );
}
