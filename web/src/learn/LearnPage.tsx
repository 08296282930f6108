/** The pages at `#/learn`: all lessons, or one page of them. */

import { go, href } from "../app/route";
import { gameName, texts } from "../i18n/language";
import { NotFoundPage } from "../app/MessagePage";
import { Lesson } from "./lesson/Lesson";
import { gamesWithLessons, useLessons } from "./loadLessons";
import { Overview } from "./Overview";
import { PageChips } from "./lesson/PageChips";
import "./styles/overview.css";
import "./styles/lesson.css";
import "./styles/narrow.css";

/** Without a game it is the overview, without a page the first one of the game. */
export function LearnPage({ game, page }: { game: string; page: string }) {
  if (!game) return <Overview />;
  return gamesWithLessons().includes(game) ? <GamePage key={game} game={game} page={page} /> : <NotFoundPage />;
}

function GamePage({ game, page }: { game: string; page: string }) {
  const found = useLessons([game]);
  if (found === null) return <p class="message-page soft message-loading">{texts.value.replay.loading}</p>;
  const { learn } = found;
  const loaded = found.games.get(game)!;
  const { pages } = loaded.lessons;
  const shown = page || pages[0]!.id;
  if (!pages.some(({ id }) => id === shown)) return <NotFoundPage />;
  const onPage = (next: string) => go({ at: "learn", game, page: next });
  return (
    <div class="learn">
      <div class="learn-head learn-page-head">
        <a class="learn-back" href={href({ at: "learn", game: "", page: "" })} aria-label={learn.overview} title={learn.overview} />
        <h1>
          {gameName(game)} <span class="learn-page-name">{loaded.lesson.pages[shown]!.name}</span>
        </h1>
        <PageChips loaded={loaded} page={shown} learn={learn} onPage={onPage} />
      </div>
      <Lesson key={shown} game={game} page={shown} loaded={loaded} learn={learn} onPage={onPage} atTable={false} />
    </div>
  );
}
