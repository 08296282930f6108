/** All games of this browser's guest: running tables, then finished games. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { texts } from "../../i18n/language";
import { href } from "../../app/route";
import { isConnected, state as session } from "../../net/session";
import { PAGE_SIZE } from "../../replay/finishedGamesApi";
import { FinishedGameRow } from "../../replay/FinishedGames";
import { ContinueCard, openTables } from "./ContinueCards";
import { ResultBadge } from "./LastGames";
import { endedHere, fetchMyGames, type OwnGame } from "./myGames";

interface Found {
  games: readonly OwnGame[];
  state: "looking" | "failed" | "there";
  more: boolean;
}

export function MyGamesPage() {
  const { myGames, finishedGames, replay, play } = texts.value;
  const found = useSignal<Found>({ games: [], state: "looking", more: false });
  const look = async (before: readonly OwnGame[]) => {
    found.value = { games: before, state: "looking", more: false };
    const page = await fetchMyGames(before.at(-1));
    found.value = page
      ? { games: [...before, ...page], state: "there", more: page.length === PAGE_SIZE }
      : { games: before, state: "failed", more: false };
  };
  const connected = isConnected.value;
  useEffect(() => {
    if (connected) void look([]);
  }, [connected, endedHere.value]);
  const { games, state, more } = found.value;
  const { tables } = session.value;
  const isEmpty = state === "there" && games.length === 0;
  const open = openTables().filter((id) => tables[id]?.room.phase !== "over");
  return (
    <section class="finished-games" aria-labelledby="my-games-title">
      <h1 id="my-games-title">{myGames.title}</h1>
      {open.length > 0 && (
        <>
          <h2>{myGames.running}</h2>
          <div class="continue">
            {open.map((id) => (
              <ContinueCard key={id} id={id} />
            ))}
          </div>
        </>
      )}
      {(open.length > 0 || games.length > 0) && <h2>{myGames.finished}</h2>}
      <ol class="finished-games-list">
        {games.map((game) => (
          <FinishedGameRow key={`${game.room}/${game.match}`} game={game} badge={<ResultBadge game={game} />} note={game.public ? "" : myGames.private} />
        ))}
      </ol>
      <div class={isEmpty ? "empty" : ""}>
        <p class="soft finished-games-note" role="status">
          {state === "looking" ? finishedGames.loading : state === "failed" ? finishedGames.failed : isEmpty ? myGames.none : ""}
        </p>
        {isEmpty && (
          <a class="button primary" href={href({ at: "lobby" })}>
            {play}
          </a>
        )}
      </div>
      {(more || state === "failed") && <button onClick={() => void look(games)}>{state === "failed" ? replay.retry : finishedGames.more}</button>}
    </section>
  );
}
