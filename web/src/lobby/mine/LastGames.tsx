/** Your last finished games, in the lobby; lessons before the first one. */

import { useEffect } from "preact/hooks";
import { href } from "../../app/route";
import { GameIcon } from "../../common/GameIcon";
import { hasLessons } from "../../games/gameRegistry";
import { botTexts, gameName, nameList, texts } from "../../i18n/language";
import type { Seat } from "../../net/protocol";
import { isConnected } from "../../net/session";
import { playableGames } from "../chosenGame";
import { endedHere, latestGames, ownResult, refreshMyGames, type OwnGame } from "./myGames";

const SHOWN = 3;

export function LastGames() {
  const { myGames, finishedGames } = texts.value;
  const connected = isConnected.value;
  useEffect(() => {
    if (connected) void refreshMyGames();
  }, [connected, endedHere.value]);
  if (latestGames.value?.length === 0) return <Lessons />;
  return (
    <section class="last-games" aria-labelledby="last-games-title">
      <div class="last-games-head">
        <h2 id="last-games-title">{myGames.last}</h2>
        <a href={href({ at: "mine" })}>{myGames.all}</a>
      </div>
      <ul>
        {latestGames.value?.slice(0, SHOWN).map((game) => (
          <li key={`${game.room}/${game.match}`}>
            <a href={href({ at: "game", room: game.room, match: game.match })}>
              <ResultBadge game={game} />
              <span class="last-games-name">{gameName(game.game)}</span>
              <bdi class="soft">{opponents(game)}</bdi>
            </a>
          </li>
        ))}
      </ul>
      <p class="last-games-public">
        <a href={href({ at: "replay" })}>{finishedGames.title}</a> <a href={href({ at: "leaderboards", category: "" })}>{texts.value.players}</a>
      </p>
    </section>
  );
}

/** For a visitor without a finished game: the rules of every game. */
function Lessons() {
  const { learnRules, finishedGames } = texts.value;
  return (
    <section class="last-games" aria-labelledby="lessons-title">
      <div class="last-games-head">
        <h2 id="lessons-title">{learnRules}</h2>
      </div>
      <ul>
        {playableGames().filter(({ name }) => hasLessons(name)).map(({ name }) => (
          <li key={name}>
            <a href={href({ at: "learn", game: name, page: "" })}>
              <GameIcon game={name} />
              <span class="last-games-name">{gameName(name)}</span>
            </a>
          </li>
        ))}
      </ul>
      <p class="last-games-public">
        <a href={href({ at: "replay" })}>{finishedGames.title}</a> <a href={href({ at: "leaderboards", category: "" })}>{texts.value.players}</a>
      </p>
    </section>
  );
}

export function ResultBadge({ game }: { game: OwnGame }) {
  const result = ownResult(game);
  if (result === null) return null;
  return <span class={`result result-${result}`}>{texts.value.myGames[result]}</span>;
}

/** Return the names of the others. */
export function opponents({ game, names, bots, bot_accounts, seat }: OwnGame): string {
  const { botAccount, punctuation } = texts.value;
  const marked = (name: string, at: Seat) => (bot_accounts?.includes(at) ? punctuation.withNote(name, botAccount.mark) : name);
  return nameList(names.flatMap((name, at) => (at === seat ? [] : [bots[at] ? botTexts(game, bots[at]).name : marked(name, at)])));
}
