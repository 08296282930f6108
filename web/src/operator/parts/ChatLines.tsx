/** The chat of a table, in which the reported line is marked. */

import { language, shownName } from "../../i18n/language";
import type { OperatorTexts } from "../../i18n/types/operator";
import type { ReportedLine } from "../operatorTypes";

interface ChatLinesProps {
  text: OperatorTexts;
  label: string;
  lines: readonly ReportedLine[];
  marked?: ReportedLine | null;
}

/** It can be scrolled with the keyboard. */
export function ChatLines({ text, label, lines, marked = null }: ChatLinesProps) {
  if (lines.length === 0) return <p class="soft">{text.reports.noChat}</p>;
  return (
    <ol class="operator-chat" tabIndex={0} aria-label={label}>
      {lines.map((line, index) => {
        const isMarked = marked !== null && line.at === marked.at && line.name === marked.name && line.text === marked.text;
        return (
          <li key={index} class={isMarked ? "operator-chat-marked" : ""}>
            <time class="soft" dateTime={new Date(line.at).toISOString()}>
              {new Date(line.at).toLocaleTimeString(language.value, { timeStyle: "short" })}
            </time>
            <span>
              <b>
                <bdi>{shownName(line.name)}</bdi>
              </b>
              {line.spectators_only && <small class="operator-tag">{text.reports.spectators}</small>}
              {isMarked && <small class="operator-tag operator-tag-alert">{text.reports.line}</small>} <bdi>{line.text}</bdi>
            </span>
          </li>
        );
      })}
    </ol>
  );
}
