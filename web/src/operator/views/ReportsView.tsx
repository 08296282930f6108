/** The reports and appeals: the list, and beside it the one that was chosen. */

import { useSignal } from "@preact/signals";
import { href } from "../../app/route";
import { gameName, shownName } from "../../i18n/language";
import type { OperatorTexts } from "../../i18n/types/operator";
import { usePages } from "../loading";
import type { ViewProps } from "../OperatorPage";
import type { ReportRow } from "../operatorTypes";
import { MoreRows } from "../parts/MoreRows";
import { timeText } from "../parts/times";
import { ReportDetails } from "./ReportDetails";

export function ReportsView({ text, id, me, reload }: ViewProps) {
  const { reports } = text;
  const filter = useSignal({ state: "open", kind: "", assigned: "" });
  const changed = useSignal(0);
  const page = usePages<ReportRow>("/reports", "reports", filter.value, changed);
  const onDone = () => {
    changed.value += 1;
    reload();
  };
  const choose = (field: "state" | "kind" | "assigned") => (event: Event) => {
    filter.value = { ...filter.value, [field]: (event.currentTarget as HTMLSelectElement).value };
  };
  return (
    <div class={id ? "operator-columns operator-columns-chosen" : "operator-columns"}>
      <section class="operator-list" aria-label={text.views.reports}>
        <div class="operator-filters">
          <Choice label={reports.state} value={filter.value.state} onChange={choose("state")} options={[["open", reports.states.open], ["done", reports.states.done], ["", text.any]]} />
          <Choice label={reports.kind} value={filter.value.kind} onChange={choose("kind")} options={[["", text.any], ["report", reports.kinds.report], ["appeal", reports.kinds.appeal]]} />
          <Choice label={reports.assigned} value={filter.value.assigned} onChange={choose("assigned")} options={[["", text.any], ["me", reports.mine], ["nobody", reports.nobody]]} />
        </div>
        <ul class="operator-rows">
          {page.rows.map((report) => (
            <li key={report.id}>
              <ReportLink text={text} report={report} isChosen={String(report.id) === id} />
            </li>
          ))}
        </ul>
        <MoreRows text={text} page={page} none={reports.none} />
      </section>
      {id ? (
        <ReportDetails key={id} text={text} id={id} me={me} onDone={onDone} />
      ) : (
        <p class="soft operator-choose">{me.open_reports > 0 ? reports.choose : reports.none}</p>
      )}
    </div>
  );
}

function ReportLink({ text, report, isChosen }: { text: OperatorTexts; report: ReportRow; isChosen: boolean }) {
  const { reports } = text;
  return (
    <a class="operator-report" href={href({ at: "operator", view: "reports", id: String(report.id) })} aria-current={isChosen ? "true" : undefined}>
      <span class="operator-report-head">
        <b>{reports.title(reports.kinds[report.kind], report.id)}</b>
        {report.state === "done" && <small class="operator-tag">{reports.states.done}</small>}
        {report.assigned && (
          <small class="operator-tag">
            <bdi>{report.assigned.name}</bdi>
          </small>
        )}
      </span>
      <bdi class="operator-words">{report.line?.text ?? report.text}</bdi>
      <span class="soft operator-meta">
        {[report.about && reports.about(shownName(report.about.name)), report.game && gameName(report.game), timeText(report.at)].filter(Boolean).join(" · ")}
      </span>
    </a>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (event: Event) => void;
}

export function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <label class="field">
      <span>{label}</span>
      <select value={value} onChange={onChange}>
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
