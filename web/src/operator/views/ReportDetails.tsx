/** A report or an appeal with the chat of its table, and what can be done about it. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { showToast } from "../../app/toastState";
import { gameName } from "../../i18n/language";
import type { OperatorTexts } from "../../i18n/types/operator";
import { useLoaded } from "../loading";
import { act, isFailure, type Failure } from "../operatorApi";
import type { Overview, Report } from "../operatorTypes";
import { ActDialog } from "../parts/ActDialog";
import { ChatLines } from "../parts/ChatLines";
import { DetailsHead } from "../parts/DetailsHead";
import { EntryRow } from "../parts/EntryRow";
import { failureText, NotThere } from "../parts/FailureText";
import { PersonLink } from "../parts/PersonLink";
import { SanctionDialog } from "../parts/SanctionDialog";
import { SanctionRow } from "../parts/SanctionRow";
import { timeText } from "../parts/times";
import { EngineFigures } from "./EngineFigures";

interface DetailsProps {
  text: OperatorTexts;
  id: string;
  me: Overview;
  onDone: () => void;
}

export function ReportDetails({ text, id, me, onDone }: DetailsProps) {
  const { found, reload } = useLoaded<Report>(`/reports/${encodeURIComponent(id)}`);
  const done = () => {
    reload();
    onDone();
  };
  if (found === null || isFailure(found)) {
    return (
      <section class="operator-card" aria-label={text.views.reports}>
        <NotThere text={text} found={found} retry={reload} />
      </section>
    );
  }
  return <ShownReport text={text} report={found} me={me} done={done} />;
}

interface ShownProps {
  text: OperatorTexts;
  report: Report;
  me: Overview;
  done: () => void;
}

function ShownReport({ text, report, me, done }: ShownProps) {
  const { reports } = text;
  const { by, about, table } = report;
  return (
    <section class="operator-card operator-details" aria-label={reports.title(reports.kinds[report.kind], report.id)}>
      <DetailsHead text={text} view="reports" title={reports.title(reports.kinds[report.kind], report.id)}>
        <span class="operator-tag">{reports.states[report.state]}</span>
        {report.assigned && <span class="operator-tag">{reports.assignedTo(report.assigned.name)}</span>}
      </DetailsHead>
      <p class="soft operator-meta">
        {timeText(report.at)}
        {report.game && ` · ${gameName(report.game)}`}
        {table && !table.open && ` · ${reports.tableClosed}`}
      </p>
      <blockquote class="operator-quote">
        <bdi>{report.text}</bdi>
      </blockquote>
      <p>
        {by && <PersonLink text={text} person={by} />}
        {about && (
          <>
            {" → "}
            <PersonLink text={text} person={about} />
          </>
        )}
        {report.kind === "report" && report.line === null && <span class="soft"> · {reports.wholeTable}</span>}
      </p>
      <Actions text={text} report={report} me={me} done={done} />
      {table && (
        <p class="buttons">
          {table.open && (
            <a class="button" href={`#${table.link}`}>
              {reports.table}
            </a>
          )}
          {table.replay && (
            <a class="button" href={`#${table.replay}`}>
              {reports.replay}
            </a>
          )}
        </p>
      )}
      {table?.replay && report.game === "chess" && me.role === "operator" && <EngineFigures text={text} report={report} />}
      {report.appealed && (
        <>
          <h3>{reports.appealed}</h3>
          <ul class="operator-rows">
            <SanctionRow text={text} sanction={report.appealed} withTarget onDone={done} />
          </ul>
        </>
      )}
      {table && (
        <>
          <h3>{reports.chat}</h3>
          <ChatLines text={text} label={reports.chat} lines={report.chat} marked={report.line} />
          <h3>{reports.seats}</h3>
          <Seats text={text} report={report} done={done} />
        </>
      )}
      <Note key={report.note} text={text} report={report} done={done} />
      {report.log.length > 0 && (
        <>
          <h3>{reports.done}</h3>
          <ul class="operator-rows">
            {report.log.map((entry) => (
              <EntryRow key={entry.number} text={text} entry={entry} role={me.role} onDone={done} />
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** Take the report or give it back, sanction the author, and close it. */
function Actions({ text, report, me, done }: ShownProps) {
  const { reports, sanctions } = text;
  const dialog = useSignal<"sanction" | "close" | null>(null);
  const failure = useSignal<Failure | null>(null);
  const close = () => (dialog.value = null);
  const run = async (path: string, body: object) => {
    const answer = await act(`/reports/${report.id}/${path}`, body);
    failure.value = isFailure(answer) ? answer : null;
    if (failure.value === null) done();
  };
  const isMine = report.assigned?.person === me.person;
  return (
    <>
      <div class="buttons">
        {report.about && report.kind === "report" && (
          <button class="primary" onClick={() => (dialog.value = "sanction")}>
            {sanctions.impose}
          </button>
        )}
        <button onClick={() => void run("assign", { to: isMine ? "" : "me" })}>{isMine ? reports.release : reports.take}</button>
        {report.state === "open" ? <button onClick={() => (dialog.value = "close")}>{reports.close}…</button> : <button onClick={() => void run("reopen", {})}>{reports.reopen}</button>}
      </div>
      <p class="operator-error" role="alert">
        {failure.value && failureText(text, failure.value)}
      </p>
      {dialog.value === "sanction" && report.about && <SanctionDialog text={text} person={report.about} mayUseRanges={me.role === "operator"} onDone={done} onClose={close} />}
      {dialog.value === "close" && (
        <ActDialog text={text} title={`${reports.close} #${report.id}`} button={reports.close} path={`/reports/${report.id}/close`} reason="optional" onDone={done} onClose={close} />
      )}
    </>
  );
}

function Seats({ text, report, done }: Pick<ShownProps, "text" | "report" | "done">) {
  const chosen = useSignal<{ person: string; name: string } | null>(null);
  return (
    <>
      <ul class="operator-rows">
        {report.seats.map(({ seat, bot, person, name, ...more }) => (
          <li key={seat} class="operator-row">
            <span>
              {seat + 1}. {bot || !person ? <bdi>{name ?? bot}</bdi> : <PersonLink text={text} person={{ person, name, ...more }} />}
              {bot && <small class="operator-tag">{text.reports.computer}</small>}
            </span>
            {!bot && person && (
              <button class="small" aria-label={`${text.sanctions.impose} ${name}`} onClick={() => (chosen.value = { person, name })}>
                {text.sanctions.impose}
              </button>
            )}
          </li>
        ))}
      </ul>
      {chosen.value && <SanctionDialog text={text} person={chosen.value} mayUseRanges={false} onDone={done} onClose={() => (chosen.value = null)} />}
    </>
  );
}

/** What the team notes about a report. */
function Note({ text, report, done }: Pick<ShownProps, "text" | "report" | "done">) {
  const { reports } = text;
  const failure = useSignal<Failure | null>(null);
  const id = useId();
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    const note = String(new FormData(event.currentTarget as HTMLFormElement).get("note"));
    const answer = await act(`/reports/${report.id}/note`, { note });
    failure.value = isFailure(answer) ? answer : null;
    if (failure.value !== null) return;
    showToast(text.done);
    done();
  };
  return (
    <form class="operator-form" onSubmit={save}>
      <div class="field">
        <label for={id}>{reports.noteLabel}</label>
        <textarea id={id} name="note" rows={2} maxLength={2000} defaultValue={report.note} />
      </div>
      <p class="operator-error" role="alert">
        {failure.value && failureText(text, failure.value)}
      </p>
      <button>{reports.note}</button>
    </form>
  );
}
