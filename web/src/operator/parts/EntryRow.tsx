/** An entry of the log: who did what, when and why, and the way to undo it. */

import { useSignal } from "@preact/signals";
import { href } from "../../app/route";
import type { OperatorTexts } from "../../i18n/types/operator";
import { entryText, isUndoable } from "../entries";
import type { LogEntry, Role } from "../operatorTypes";
import { ActDialog } from "./ActDialog";
import { PersonLink } from "./PersonLink";
import { timeText } from "./times";

interface EntryRowProps {
  text: OperatorTexts;
  entry: LogEntry;
  role: Role;
  onDone: () => void;
}

export function EntryRow({ text, entry, role, onDone }: EntryRowProps) {
  const undoing = useSignal(false);
  const { log } = text;
  return (
    <li class={entry.undone_by ? "operator-row operator-row-undone" : "operator-row"}>
      <div class="operator-row-text">
        <span>
          <b>{entryText(entry, text)}</b>
          {entry.person && (
            <>
              {" "}
              <PersonLink text={text} person={entry.person} />
            </>
          )}
          {entry.network && <code> {entry.network}</code>}
          {entry.report && (
            <a class="operator-part" href={href({ at: "operator", view: "reports", id: String(entry.report) })}>
              {log.report(entry.report)}
            </a>
          )}
          {entry.room && (
            <a class="operator-part" href={href({ at: "operator", view: "tables", id: entry.room })}>
              {log.table} {entry.room}
            </a>
          )}
        </span>
        {entry.reason && <bdi class="operator-words">{entry.reason}</bdi>}
        <span class="soft operator-meta">
          #{entry.number} · {timeText(entry.at)} · {entry.by ? <bdi>{entry.by.name}</bdi> : entry.user ? log.command(entry.user) : text.person.server}
          {entry.via === "token" && ` ${log.token}`}
          {entry.undoes && ` · ${log.undoes(entry.undoes)}`}
          {entry.undone_by && ` · ${log.undone(entry.undone_by)}`}
        </span>
      </div>
      {isUndoable(entry, role) && (
        <button class="small" aria-label={`${log.undo} #${entry.number}`} onClick={() => (undoing.value = true)}>
          {log.undo}
        </button>
      )}
      {undoing.value && (
        <ActDialog text={text} title={log.undoTitle(entry.number)} button={log.undo.replace("…", "")} path={`/log/${entry.number}/undo`} note={entryText(entry, text)} onDone={onDone} onClose={() => (undoing.value = false)} />
      )}
    </li>
  );
}
