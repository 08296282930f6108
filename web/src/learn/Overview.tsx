/** All lessons as cards, by game. */

import { href } from "../app/route";
import { partsOf } from "../games/gameRegistry";
import { gameName, texts } from "../i18n/language";
import { gamesWithLessons, useLessons, type LoadedLessons } from "./loadLessons";
import { stepsDone } from "./progress";
import type { LearnTexts } from "./texts/types";

export function Overview() {
  const found = useLessons(gamesWithLessons());
  if (found === null) return <p class="message-page soft message-loading">{texts.value.replay.loading}</p>;
  return (
    <div class="learn">
      <div class="learn-head">
        <h1>{found.learn.title}</h1>
        <p class="soft">{found.learn.intro}</p>
      </div>
      {[...found.games].map(([game, loaded]) => (
        <GameCards key={game} game={game} loaded={loaded} learn={found.learn} />
      ))}
    </div>
  );
}

function GameCards({ game, loaded: { lessons, lesson }, learn }: { game: string; loaded: LoadedLessons; learn: LearnTexts }) {
  const { LobbyPicture } = partsOf(game)!;
  return (
    <section class="learn-game" aria-labelledby={`learn-${game}`}>
      <div class="learn-picture">
        <LobbyPicture />
      </div>
      <h2 id={`learn-${game}`}>{gameName(game)}</h2>
      <ul class="learn-cards">
        {lessons.pages.map(({ id, steps, Icon }) => {
          const { name, hint } = lesson.pages[id]!;
          const done = stepsDone(game, id, steps).length;
          return (
            <li key={id}>
              <a class="learn-card" href={href({ at: "learn", game, page: id })}>
                <span class="learn-card-name">
                  {Icon && <Icon />}
                  {name}
                </span>
                <span class="learn-card-hint">{hint}</span>
                <span class={`learn-card-meta ${done === steps.length ? "learn-card-done" : ""}`}>
                  {done === 0 ? learn.stepCount(steps.length) : done === steps.length ? `✓ ${learn.allDone}` : learn.doneOf(done, steps.length)}
                </span>
              </a>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
