/** All texts in one language, Traditional Chinese: those of the page and of every game. */

import { withGames } from "../withGames";
import { common } from "./common";
import { dialogs } from "./dialogs";
import { finishedGames } from "./finishedGames";
import { invitation } from "./invitation";
import { lobby } from "./lobby";
import { replay } from "./replay";
import { table } from "./table";

const games = import.meta.glob<object>(["../../games/*/texts/zh-hant.ts", "./games/*.ts"], { eager: true, import: "texts" });

export const texts = withGames({ ...common, ...lobby, ...dialogs, ...table, ...invitation, ...replay, ...finishedGames }, games);
