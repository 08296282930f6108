/** The options of a new table. */

import { h } from "preact";
import { texts } from "qipai/board-kit";

export function OptionsForm({ options, onChange }) {
  const change = (event) => onChange(event.currentTarget.checked ? { empty_start: true } : {});
  return h(
    "label",
    { class: "choice" },
    h("input", { type: "checkbox", checked: options.empty_start ?? false, onChange: change }),
    h("span", null, texts.value.games.reversi.emptyStart),
  );
}
