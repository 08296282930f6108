/** The log of all acts: filtered, continued page by page, exported, and undone where that is possible. */

import { useSignal } from "@preact/signals";
import { href } from "../../app/route";
import { useLoaded, usePages } from "../loading";
import type { ViewProps } from "../OperatorPage";
import { isFailure, operatorPath } from "../operatorApi";
import { ACTS, type LogEntry, type PersonRef } from "../operatorTypes";
import { EntryRow } from "../parts/EntryRow";
import { MoreRows } from "../parts/MoreRows";
import { Choice } from "./ReportsView";

export function LogView({ text, id, me, reload }: ViewProps) {
  const { log } = text;
  const filter = useSignal({ act: "", by: "" });
  const changed = useSignal(0);
  const page = usePages<LogEntry>("/log", "entries", { ...filter.value, person: id }, changed);
  const roles = useLoaded<{ roles: readonly PersonRef[] }>("/roles").found;
  const actors = roles === null || isFailure(roles) ? [] : roles.roles;
  const done = () => {
    changed.value += 1;
    reload();
  };
  const choose = (field: "act" | "by") => (event: Event) => {
    filter.value = { ...filter.value, [field]: (event.currentTarget as HTMLSelectElement).value };
  };
  const about = page.rows.find(({ person }) => person?.person === id)?.person?.name ?? id;
  return (
    <section class="operator-card operator-details" aria-labelledby="operator-log">
      <div class="operator-card-head">
        <h2 id="operator-log">{text.views.log}</h2>
        {me.role === "operator" && (
          <a class="button small" href={operatorPath("/log/export")} download="qipai-operator-log.jsonl">
            {log.export}
          </a>
        )}
      </div>
      <p class="soft">{log.note}</p>
      <div class="operator-filters">
        <Choice label={log.act} value={filter.value.act} onChange={choose("act")} options={[["", text.any], ...ACTS.map((act) => [act, text.acts[act]] as const)]} />
        <Choice label={log.by} value={filter.value.by} onChange={choose("by")} options={[["", text.any], ...actors.map(({ person, name }) => [person, name] as const)]} />
      </div>
      {id && (
        <p class="operator-filtered">
          <bdi>{log.about(about)}</bdi>
          <a class="operator-part" href={href({ at: "operator", view: "log", id: "" })}>
            {log.all}
          </a>
        </p>
      )}
      <ul class="operator-rows">
        {page.rows.map((entry) => (
          <EntryRow key={entry.number} text={text} entry={entry} role={me.role} onDone={done} />
        ))}
      </ul>
      <MoreRows text={text} page={page} none={log.none} />
    </section>
  );
}
