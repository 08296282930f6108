/** Pages of finished games, loaded when first shown. */

import { lazyComponents } from "../common/lazyComponent";
import { texts } from "../i18n/language";

const lazyGame = lazyComponents(() => import("./ReplayViewer"));
const lazyMine = lazyComponents(() => import("../lobby/mine/MyGamesPage").then(({ loadPage }) => loadPage()));
const lazyRecords = lazyComponents(() => import("./OpenRecordPage"));

export const FinishedGamePage = lazyGame(({ ReplayViewer }) => ReplayViewer, <Loading />);
export const MyGamesPage = lazyMine((Page) => Page, <Loading />);
export const OpenRecordPage = lazyRecords(({ OpenRecordPage: Page }) => Page, <Loading />);

function Loading() {
  return <p class="message-page soft message-loading">{texts.value.replay.loading}</p>;
}
