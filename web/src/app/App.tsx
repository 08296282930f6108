/** The frame around every page: header, banner, current page, toasts. */

import { useSignalEffect } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { gameName, texts } from "../i18n/language";
import { showFavicon } from "./favicon";
import { AccountPage } from "../account/lazyAccount";
import { FinishedGamePage, MyGamesPage, OpenRecordPage } from "../replay/lazyPages";
import { SeesHiddenDialog } from "../dialogs/SeesHiddenDialog";
import { LearnDialog, LearnPage } from "../learn/lazyLearn";
import { openLesson } from "../learn/openLesson";
import { BanPage, ServerNotices } from "../notices/lazyNotices";
import { ban } from "../notices/serverNotices";
import { OperatorPage } from "../operator/lazyOperator";
import { ProfilePage } from "../profile/lazyProfile";
import { LeaderboardPage } from "../ratings/lazyRatings";
import { LobbyPage } from "../lobby/LobbyPage";
import { SeatTransferPage } from "../dialogs/lazyDialogs";
import { TablePage } from "../table/TablePage";
import { Header } from "./Header";
import { ConnectionBanner } from "./ConnectionBanner";
import { NotFoundPage } from "./MessagePage";
import { Toasts } from "./Toasts";
import { href, isPageAddress, route, type Route } from "./route";
import { openChallenges } from "../net/relationState";
import { state } from "../net/session";
import { ChallengeNotices } from "../relations/lazyRelations";
import { isYourTurn } from "../table/turn";

export function App() {
  useSignalEffect(() => {
    const mine = Object.values(state.value.tables).some(isYourTurn);
    document.title = pageTitle(mine);
    showFavicon(mine);
  });
  const here = route.value;
  const pageKey = pageKeyOf(here);
  const main = useRef<HTMLElement>(null);
  const before = useRef(pageKey);
  useEffect(() => {
    // Keyboard and screen reader users start at the top of the new page.
    if (before.current !== pageKey) main.current?.focus({ preventScroll: true });
    before.current = pageKey;
    scrollTo(0, 0);
  }, [pageKey]);
  return (
    <>
      <a class="skip" href="#main" onClick={skipToMain}>
        {texts.value.skip}
      </a>
      <Header />
      {isPageAddress() && ban.value === null && <ConnectionBanner />}
      <ServerNotices />
      <main id="main" tabIndex={-1} ref={main}>
        {ban.value !== null ? (
          <BanPage />
        ) : here.at === "table" ? (
          <TablePage key={here.room} room={here.room} />
        ) : here.at === "replay" ? (
          <OpenRecordPage />
        ) : here.at === "game" ? (
          <FinishedGamePage key={href(here)} room={here.room} match={here.match} hand={here.hand ?? 1} />
        ) : here.at === "mine" ? (
          <MyGamesPage />
        ) : here.at === "account" ? (
          <AccountPage link={here.link} outcome={here.outcome} />
        ) : here.at === "profile" ? (
          <ProfilePage key={here.name} name={here.name} />
        ) : here.at === "operator" ? (
          <OperatorPage view={here.view} id={here.id} />
        ) : here.at === "leaderboards" ? (
          <LeaderboardPage category={here.category} />
        ) : here.at === "learn" ? (
          <LearnPage game={here.game} page={here.page} />
        ) : here.at === "nowhere" ? (
          <NotFoundPage />
        ) : here.at === "seat" ? (
          <SeatTransferPage key={here.ticket} ticket={here.ticket} />
        ) : (
          <LobbyPage />
        )}
      </main>
      <SeesHiddenDialog />
      {here.at === "table" && openLesson.value && <LearnDialog {...openLesson.value} />}
      {openChallenges.value.length > 0 && <ChallengeNotices />}
      <Toasts />
    </>
  );
}

/** Return what tells pages apart; what is shown in a list beside its rows is no page of its own. */
function pageKeyOf(here: Route): string {
  if (here.at === "table") return here.room;
  if (here.at === "operator") return `operator/${here.view}`;
  if (here.at === "leaderboards") return here.at;
  return here.at === "code" || here.at === "seat" ? "lobby" : href(here);
}

/** The hash is the route, so a skip link must not change it. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

function pageTitle(mine: boolean): string {
  const here = route.value;
  const table = here.at === "table" ? state.value.tables[here.room] : undefined;
  const pageKey = here.at === "replay" || here.at === "game" ? `${texts.value.replay.title} · Qipai` : here.at === "learn" ? `${texts.value.howToPlay} · Qipai` : here.at === "leaderboards" ? `${texts.value.players} · Qipai` : here.at === "profile" ? `${here.name} · Qipai` : table ? `${gameName(table.room.game)} ${table.room.code} · Qipai` : "Qipai 棋牌";
  return mine ? `● ${texts.value.table.yourTurn} · ${pageKey}` : pageKey;
}
