/** What is below the rows of a list: that there are none, that they are loading, or the way to more of them. */

import type { OperatorTexts } from "../../i18n/types/operator";
import type { Pages } from "../loading";
import { failureText } from "./FailureText";

export function MoreRows({ text, page, none }: { text: OperatorTexts; page: Pages<unknown>; none: string }) {
  const { rows, state, failure, more, reload } = page;
  return (
    <>
      <p class="soft operator-note" role="status">
        {state === "loading" ? text.loading : state === "failed" ? failure && failureText(text, failure) : rows.length === 0 ? none : ""}
      </p>
      {state === "failed" && <button onClick={reload}>{text.retry}</button>}
      {state === "there" && more && <button onClick={more}>{text.more}</button>}
    </>
  );
}
