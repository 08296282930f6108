/** Starts the page. */

import { render } from "preact";
import "./style/base.css";
import "./style/parts.css";
import "./style/lobby.css";
import "./style/cards.css";
import "./style/motifs.css";
import "./style/picker.css";
import "./style/rows.css";
import "./style/house.css";
import "./style/table.css";
import "./style/moves.css";
import "./style/broad.css";
import "./style/live.css";
import "./style/fit.css";
import "./style/side.css";
import "./style/past.css";
import "./style/replay.css";
import { App } from "./app";
import { keepFocus } from "./focus";
import { startLanguage } from "./i18n";
import { keepPage } from "./offline";
import { followAddress } from "./route";
import { start } from "./session";
import { awaitGesture } from "./sound";

startLanguage();
followAddress();
awaitGesture();
start();
const root = document.getElementById("app")!;
keepFocus(root);
render(<App />, root);
keepPage();
