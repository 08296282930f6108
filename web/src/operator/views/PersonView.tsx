/** A person with everything that concerns an operator, and what can be done about them. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { href } from "../../app/route";
import { shownName } from "../../i18n/language";
import type { OperatorTexts } from "../../i18n/types/operator";
import { useLoaded } from "../loading";
import { isFailure } from "../operatorApi";
import type { Overview, PersonDetails, ReportRow } from "../operatorTypes";
import { ActDialog } from "../parts/ActDialog";
import { DetailsHead } from "../parts/DetailsHead";
import { EntryRow } from "../parts/EntryRow";
import { NotThere } from "../parts/FailureText";
import { PersonLink } from "../parts/PersonLink";
import { RoleDialog } from "../parts/RoleDialog";
import { SanctionDialog } from "../parts/SanctionDialog";
import { SanctionRow } from "../parts/SanctionRow";
import { dayText } from "../parts/times";

interface PersonViewProps {
  text: OperatorTexts;
  id: string;
  me: Overview;
  onDone: () => void;
}

export function PersonView({ text, id, me, onDone }: PersonViewProps) {
  const { found, reload } = useLoaded<PersonDetails>(`/people/${encodeURIComponent(id)}`);
  const done = () => {
    reload();
    onDone();
  };
  if (found === null || isFailure(found)) {
    return (
      <section class="operator-card" aria-label={text.views.people}>
        <NotThere text={text} found={found} retry={reload} />
      </section>
    );
  }
  return <ShownPerson text={text} person={found} me={me} done={done} />;
}

interface ShownProps {
  text: OperatorTexts;
  person: PersonDetails;
  me: Overview;
  done: () => void;
}

function ShownPerson({ text, person, me, done }: ShownProps) {
  const { people } = text;
  const name = shownName(person.name) || person.person;
  const otherNames = person.names.filter((each) => each !== person.name);
  return (
    <section class="operator-card operator-details" aria-label={name}>
      <DetailsHead text={text} view="people" title={name}>
        <span class="operator-tag">{person.role ? text.roles[person.role] : person.account ? text.person.account : text.person.guest}</span>
        {person.online && <span class="operator-tag operator-tag-good">{text.person.online}</span>}
      </DetailsHead>
      <p class="soft operator-meta">
        {people.id} <code>{person.person}</code>
        {person.created !== null && ` · ${people.since(dayText(person.created))}`}
        {otherNames.length > 0 && ` · ${people.knownAs(otherNames.join(" · "))}`}
      </p>
      <Actions text={text} person={person} me={me} done={done} />
      <Part title={people.sanctions} none={people.noSanctions}>
        {person.sanctions.map((sanction) => (
          <SanctionRow key={sanction.id} text={text} sanction={sanction} onDone={done} />
        ))}
      </Part>
      <Part title={people.connections} none={people.noConnections}>
        {person.connections.map(({ address, client, rooms }, index) => (
          <li key={index} class="operator-row">
            <span>
              <code>{address}</code> <span class="soft">{client}</span>
              {rooms.map((room) => (
                <TableLink key={room} text={text} room={room} />
              ))}
            </span>
          </li>
        ))}
      </Part>
      <Part title={people.sameAddress}>
        {person.same_address.map(
          (other, index) =>
            other && (
              <li key={index} class="operator-row">
                <PersonLink text={text} person={other} />
              </li>
            ),
        )}
      </Part>
      <Part title={people.tables}>
        {person.tables.map((room) => (
          <li key={room} class="operator-row">
            <TableLink text={text} room={room} />
          </li>
        ))}
      </Part>
      <Part title={people.reportsAbout}>
        {person.reports_about.map((report) => (
          <ReportLine key={report.id} text={text} report={report} />
        ))}
      </Part>
      <Part title={people.reportsBy}>
        {person.reports_by.map((report) => (
          <ReportLine key={report.id} text={text} report={report} />
        ))}
      </Part>
      <Part title={people.log}>
        {person.log.map((entry) => (
          <EntryRow key={entry.number} text={text} entry={entry} role={me.role} onDone={done} />
        ))}
      </Part>
      {person.log.length > 0 && (
        <p>
          <a class="operator-part" href={href({ at: "operator", view: "log", id: person.person })}>
            {people.wholeLog}
          </a>
        </p>
      )}
    </section>
  );
}

function Actions({ text, person, me, done }: ShownProps) {
  const { people } = text;
  const dialog = useSignal<"sanction" | "rename" | "role" | null>(null);
  const close = () => (dialog.value = null);
  const id = useId();
  return (
    <>
      <div class="buttons">
        {person.person !== me.person && (
          <button class="primary" onClick={() => (dialog.value = "sanction")}>
            {text.sanctions.impose}
          </button>
        )}
        {person.account && me.role === "operator" && (
          <>
            <button onClick={() => (dialog.value = "rename")}>{people.rename}</button>
            <button onClick={() => (dialog.value = "role")}>{people.setRole}</button>
          </>
        )}
        {person.account && (
          <a class="button" href={href({ at: "profile", name: person.name })}>
            {people.profile}
          </a>
        )}
      </div>
      {dialog.value === "sanction" && <SanctionDialog text={text} person={person} mayUseRanges={false} onDone={done} onClose={close} />}
      {dialog.value === "rename" && (
        <ActDialog
          text={text}
          title={`${people.rename.replace("…", "")}: ${person.name}`}
          button={people.rename.replace("…", "")}
          path={`/people/${encodeURIComponent(person.person)}/rename`}
          body={({ name }) => ({ name })}
          isShown
          onDone={done}
          onClose={close}
        >
          <div class="field">
            <label for={id}>{people.newName}</label>
            <input id={id} name="name" required maxLength={40} autocapitalize="none" spellcheck={false} />
          </div>
        </ActDialog>
      )}
      {dialog.value === "role" && <RoleDialog text={text} person={person} onDone={done} onClose={close} />}
    </>
  );
}

/** A part of what is known; without rows and a word for that it is not shown. */
function Part({ title, none, children }: { title: string; none?: string; children: ComponentChildren[] }) {
  if (children.length === 0 && !none) return null;
  return (
    <>
      <h3>{title}</h3>
      {children.length === 0 ? <p class="soft">{none}</p> : <ul class="operator-rows">{children}</ul>}
    </>
  );
}

const TableLink = ({ text, room }: { text: OperatorTexts; room: string }) => (
  <a class="operator-part" href={href({ at: "operator", view: "tables", id: room })}>
    {text.log.table} {room}
  </a>
);

function ReportLine({ text, report }: { text: OperatorTexts; report: ReportRow }) {
  const { reports } = text;
  return (
    <li class="operator-row">
      <div class="operator-row-text">
        <a href={href({ at: "operator", view: "reports", id: String(report.id) })}>{reports.title(reports.kinds[report.kind], report.id)}</a>
        <bdi class="operator-words">{report.line?.text ?? report.text}</bdi>
        <span class="soft operator-meta">
          {reports.states[report.state]} · {dayText(report.at)}
        </span>
      </div>
    </li>
  );
}
