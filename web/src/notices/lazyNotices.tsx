/** What operators tell this person, loaded when there is something. */

import { lazyComponents } from "../common/lazyComponent";
import { ban, shownAnnouncement, shownSanctions } from "./serverNotices";

const lazy = lazyComponents(() => import("./Notices").then(({ loadNotices }) => loadNotices()));
const LoadedNotices = lazy(({ Notices }) => Notices, null);
const LoadedBan = lazy(({ BanPage }) => BanPage, null);

/** Above every page; nothing is loaded as long as there is nothing. */
export function ServerNotices() {
  const isEmpty = ban.value !== null || (shownAnnouncement.value === null && shownSanctions.value.length === 0);
  return isEmpty ? null : <LoadedNotices />;
}

/** In place of every page, for somebody whom the server lets in no more. */
export const BanPage = LoadedBan;
