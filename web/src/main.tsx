/** Entry point: loads styles and settings, and renders the app. */

import { render } from "preact";
import "./app/base.css";
import "./app/shell.css";
import "./dialogs/dialog.css";
import "./app/forms.css";
import "./lobby/styles/lobby.css";
import "./lobby/styles/hero.css";
import "./lobby/styles/other-games.css";
import "./lobby/styles/rail.css";
import "./common/game-picture.css";
import "./lobby/styles/table-list.css";
import "./lobby/styles/empty-list.css";
import "./table/styles/table.css";
import "./replay/styles/move-list.css";
import "./table/styles/wide-board.css";
import "./table/styles/playing.css";
import "./table/styles/screen-sizes.css";
import "./table/styles/phone-landscape.css";
import "./table/styles/side-panel.css";
import { App } from "./app/App";
import { keepFocus } from "./common/keepFocus";
import { startOutsideGames } from "./games/outsideGameRequests";
import { startLanguage } from "./i18n/language";
import { installServiceWorker } from "./app/serviceWorker";
import { isPageAddress, startRouting } from "./app/route";
import { start } from "./net/session";
import { followAppearance } from "./settings/appearance";
import { watchTables } from "./sounds/watchTables";
import { enableAudioOnGesture } from "./table/tones";

startRouting();
enableAudioOnGesture();
installServiceWorker();
void Promise.all([startLanguage(), followAppearance()]).then(() => {
  if (isPageAddress()) {
    start();
    watchTables();
    startOutsideGames();
  }
  const root = document.getElementById("app")!;
  keepFocus(root);
  render(<App />, root);
});
