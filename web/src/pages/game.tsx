/** The page of a finished game; what draws it is fetched with the first of them. */

import { later } from "../games/later";
import { words } from "../i18n";

const part = later(() => import("../parts/finished"));

export const GamePage = part(({ Finished }) => Finished, <Waiting />);

function Waiting() {
  return <p class="shut soft opening">{words.value.replay.loading}</p>;
}
