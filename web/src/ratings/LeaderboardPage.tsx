/** Leaderboards: the best players of a category, how the ratings are distributed, and the own place. */

import { useSignal, type Signal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { MessagePage, NotFoundPage } from "../app/MessagePage";
import { href } from "../app/route";
import { GameIcon } from "../common/GameIcon";
import { gameName, texts } from "../i18n/language";
import type { RatingTexts } from "../i18n/types/ratings";
import { retryingFetch } from "../net/retryingFetch";
import { isConnected, state } from "../net/session";
import { categoryName, gameOf } from "./categoryName";
import { Distribution } from "./Distribution";
import { LeaderTable } from "./LeaderTable";
import { loadRatingTexts } from "./ratingParts";
import { fetchCategories, fetchLeaderboard, fetchRatings, type Leaderboard, type RankedCategory, type Rating } from "./ratingsApi";
import "./styles/leaderboard.css";

/** Load the texts, and return the page. */
export async function loadPage(): Promise<FunctionComponent<{ category: string }>> {
  const ratingTexts = await loadRatingTexts();
  return ({ category }) => <LeaderboardPage text={ratingTexts.value} category={category} />;
}

/** What was asked for; null if that failed, undefined until there is an answer. */
type Answer<T> = T | null | undefined;

function LeaderboardPage({ text, category }: { text: RatingTexts; category: string }) {
  const categories = useSignal<Answer<readonly RankedCategory[]>>(undefined);
  const board = useSignal<Answer<Leaderboard>>(undefined);
  const own = useSignal<readonly Rating[]>([]);
  const tries = useSignal(0);
  const wait = useSignal(0);
  const { account, name } = state.value;
  const known = categories.value;
  const chosen = category || (known ? mostPlayed(known) : "");
  // After the connection is back, what failed is asked for again.
  const again = `${tries.value} ${isConnected.value}`;
  useRequest(again, fetchCategories, categories, wait);
  useRequest(`${chosen} ${again}`, async (ask) => (chosen ? fetchLeaderboard(chosen, ask) : undefined), board, wait);
  useRequest(`${account} ${name}`, async (ask) => (account ? fetchRatings(name, ask) : []), own, wait);
  if (known && category && !known.some((one) => one.category === category)) return <NotFoundPage />;
  if (known === null || board.value === null) {
    return (
      <MessagePage title={text.failed}>
        <button class="primary" onClick={() => (tries.value += 1)}>
          {texts.value.replay.retry}
        </button>
      </MessagePage>
    );
  }
  const shown = board.value?.category === chosen ? board.value : undefined;
  return (
    <section class="leaderboard" aria-labelledby="leaderboard-title">
      <h1 id="leaderboard-title">{text.leaderboards}</h1>
      {known && <Categories text={text} categories={known} chosen={chosen} />}
      {shown ? (
        <div class="leaderboard-columns">
          <div>
            <h2>
              {gameName(gameOf(chosen))} · {categoryName(chosen, text)}
            </h2>
            {shown.players.length > 0 ? <LeaderTable text={text} board={shown} own={account ? name : ""} /> : <Nobody text={text} />}
          </div>
          <Distribution text={text} board={shown} own={own.value.find((one) => one.category === chosen)} />
        </div>
      ) : (
        <p class="soft" role="status">
          {wait.value > 0 ? texts.value.replay.busy(wait.value) : text.loading}
        </p>
      )}
    </section>
  );
}

/** Ask when a key changes; a newer question replaces the one before. `wait`: seconds until a busy server is asked again. */
function useRequest<T>(key: string, ask: (fetch: typeof globalThis.fetch) => Promise<T>, found: Signal<T>, wait: Signal<number>): void {
  useEffect(() => {
    const leaving = new AbortController();
    void ask(retryingFetch((seconds) => (wait.value = seconds), leaving.signal)).then((answer) => {
      if (leaving.signal.aborted) return;
      found.value = answer;
      wait.value = 0;
    });
    return () => leaving.abort();
  }, [key]);
}

/** Return the category with the most players, the first of equals. */
export function mostPlayed(categories: readonly RankedCategory[]): string {
  const most = Math.max(...categories.map(({ players }) => players));
  return categories.find(({ players }) => players === most)?.category ?? "";
}

function Categories({ text, categories, chosen }: { text: RatingTexts; categories: readonly RankedCategory[]; chosen: string }) {
  const games = [...new Set(categories.map(({ category }) => gameOf(category)))];
  return (
    <nav class="leaderboard-categories" aria-label={text.categories}>
      {games.map((game) => (
        <div key={game}>
          <b>
            <GameIcon game={game} /> {gameName(game)}
          </b>
          <ul>
            {categories
              .filter(({ category }) => gameOf(category) === game)
              .map(({ category, players }) => (
                <li key={category}>
                  <a href={href({ at: "leaderboards", category })} aria-current={category === chosen ? "page" : undefined}>
                    {categoryName(category, text)} {players > 0 && <small aria-label={text.players(players)}>{players}</small>}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

function Nobody({ text }: { text: RatingTexts }) {
  return (
    <div class="leaderboard-nobody">
      <p>{text.nobody}</p>
      <p class="soft">{text.howTo}</p>
      <a class="button primary" href={href({ at: state.value.account ? "lobby" : "account" })}>
        {state.value.account ? texts.value.play : texts.value.playerName.signIn}
      </a>
    </div>
  );
}
