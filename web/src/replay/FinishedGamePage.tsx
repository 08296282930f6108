/** Page of a finished game; loads the replay viewer lazily. */

import { lazyComponents } from "../common/lazyComponent";
import { texts } from "../i18n/language";

const lazy = lazyComponents(() => import("./ReplayViewer"));

export const FinishedGamePage = lazy(({ ReplayViewer }) => ReplayViewer, <Loading />);

function Loading() {
  return <p class="message-page soft message-loading">{texts.value.replay.loading}</p>;
}
