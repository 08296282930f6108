/** An open table, found by its code or id: who plays and watches, the chat, and the way to close it. */

import { useSignal } from "@preact/signals";
import { go, href } from "../../app/route";
import { gameName, shownName } from "../../i18n/language";
import type { OperatorTexts } from "../../i18n/types/operator";
import { useLoaded } from "../loading";
import type { ViewProps } from "../OperatorPage";
import { isFailure } from "../operatorApi";
import type { OpenTable } from "../operatorTypes";
import { ActDialog } from "../parts/ActDialog";
import { ChatLines } from "../parts/ChatLines";
import { DetailsHead } from "../parts/DetailsHead";
import { NotThere } from "../parts/FailureText";
import { PersonLink } from "../parts/PersonLink";
import { SearchForm } from "../parts/SearchForm";
import { timeText } from "../parts/times";

export function TablesView({ text, id, reload }: ViewProps) {
  const { tables } = text;
  return (
    <div class={id ? "operator-columns operator-columns-chosen" : "operator-columns operator-columns-one"}>
      <section class="operator-list" aria-label={text.views.tables}>
        <SearchForm key={id} label={tables.label} hint={tables.hint} button={tables.show} value={id} onSearch={(wanted) => go({ at: "operator", view: "tables", id: wanted.replace(/[^\w-]/g, "") })} />
      </section>
      {id && <Table key={id} text={text} id={id} onDone={reload} />}
    </div>
  );
}

function Table({ text, id, onDone }: { text: OperatorTexts; id: string; onDone: () => void }) {
  const { found, reload } = useLoaded<OpenTable>(`/tables/${encodeURIComponent(id)}`);
  const closing = useSignal(false);
  const { tables, reports } = text;
  if (found === null || isFailure(found)) {
    return (
      <section class="operator-card" aria-label={text.views.tables}>
        <NotThere text={text} found={found} retry={reload} />
      </section>
    );
  }
  const done = () => {
    // There is no such table any more.
    go({ at: "operator", view: "tables", id: "" });
    onDone();
  };
  const facts = [gameName(found.game), tables.phases[found.phase] ?? found.phase, found.public ? tables.public : tables.private, found.rated && tables.rated, tables.opened(timeText(found.opened))];
  return (
    <section class="operator-card operator-details" aria-label={tables.title(found.code)}>
      <DetailsHead text={text} view="tables" title={tables.title(found.code)} />
      {found.title && <bdi>{found.title}</bdi>}
      <p class="soft operator-meta">{facts.filter(Boolean).join(" · ")}</p>
      <div class="buttons">
        <a class="button" href={href({ at: "table", room: found.room })}>
          {reports.table}
        </a>
        {found.phase !== "closed" && <button onClick={() => (closing.value = true)}>{tables.close}</button>}
      </div>
      <ul class="operator-rows">
        {found.seats.map(({ seat, person, name, bot, connected }) => (
          <li key={seat} class="operator-row">
            <span>
              {seat + 1}. {bot || !person ? <bdi>{shownName(name) || bot}</bdi> : <PersonLink text={text} person={{ person, name }} />}
              {bot ? <small class="operator-tag">{reports.computer}</small> : !connected && <small class="operator-tag">{tables.away}</small>}
            </span>
          </li>
        ))}
      </ul>
      {found.spectator_count > 0 && (
        <>
          <h3>{tables.spectators(found.spectator_count)}</h3>
          <ul class="operator-rows">
            {found.spectators.map(({ person, name }, index) => (
              <li key={index} class="operator-row">
                {person ? <PersonLink text={text} person={{ person, name }} /> : <bdi>{name}</bdi>}
              </li>
            ))}
          </ul>
        </>
      )}
      <h3>{tables.chat}</h3>
      <ChatLines text={text} label={tables.chat} lines={found.chat} />
      {closing.value && (
        <ActDialog
          text={text}
          title={`${tables.close.replace("…", "")} ${found.code}`}
          button={tables.close.replace("…", "")}
          path={`/tables/${encodeURIComponent(found.room)}/close`}
          note={tables.closeNote}
          onDone={done}
          onClose={() => (closing.value = false)}
        />
      )}
    </section>
  );
}
