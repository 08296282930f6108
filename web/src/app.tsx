/** The frame around every page. */

import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { gameName, words } from "./i18n";
import { showIcon } from "./icon";
import { GamePage } from "./pages/game";
import { LobbyPage } from "./pages/lobby";
import { ReplayPage } from "./pages/replay";
import { SeatPage } from "./pages/seat";
import { TablePage } from "./pages/table";
import { Header } from "./parts/header";
import { LineBanner } from "./parts/line";
import { Toasts } from "./parts/toasts";
import { href, route } from "./route";
import { state } from "./session";
import { yourTurn } from "./turn";

export function App() {
  useSignalEffect(() => {
    const mine = Object.values(state.value.tables).some(yourTurn);
    document.title = title(mine);
    showIcon(mine);
  });
  const here = route.value;
  const place = here.at === "table" ? here.room : here.at === "replay" || here.at === "game" ? href(here) : "lobby";
  const main = useRef<HTMLElement>(null);
  const before = useRef(place);
  useEffect(() => {
    // Whoever uses the keyboard or hears the page begins at the top of the new one.
    if (before.current !== place) main.current?.focus({ preventScroll: true });
    before.current = place;
    scrollTo(0, 0);
  }, [place]);
  return (
    <>
      <a class="skip" href="#main" onClick={jump}>
        {words.value.skip}
      </a>
      <Header />
      <LineBanner />
      <main id="main" tabIndex={-1} ref={main}>
        {here.at === "table" ? (
          <TablePage key={here.room} room={here.room} />
        ) : here.at === "replay" ? (
          <ReplayPage />
        ) : here.at === "game" ? (
          <GamePage key={href(here)} room={here.room} match={here.match} />
        ) : here.at === "seat" ? (
          <SeatPage key={here.ticket} ticket={here.ticket} />
        ) : (
          <LobbyPage />
        )}
      </main>
      <Toasts />
    </>
  );
}

/** The address after # names a table, so jumping must not change it. */
function jump(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function title(mine: boolean): string {
  const here = route.value;
  const seen = here.at === "table" ? state.value.tables[here.room] : undefined;
  const place = here.at === "replay" || here.at === "game" ? `${words.value.replay.title} · Qipai` : seen ? `${gameName(seen.room.game)} ${seen.room.code} · Qipai` : "Qipai 棋牌";
  return mine ? `● ${words.value.table.yourTurn} · ${place}` : place;
}
