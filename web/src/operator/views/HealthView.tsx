/** How the server is doing: load, bots, stores and errors, as they change. */

import { language } from "../../i18n/language";
import { useLoaded } from "../loading";
import type { ViewProps } from "../OperatorPage";
import { isFailure, operatorPath } from "../operatorApi";
import type { Health } from "../operatorTypes";
import { NotThere } from "../parts/FailureText";
import { timeText } from "../parts/times";

/** Milliseconds between two looks. */
const EVERY = 5_000;

export function HealthView({ text }: ViewProps) {
  const { found, reload } = useLoaded<Health>("/health", {}, EVERY);
  const { health } = text;
  if (found === null || isFailure(found)) return <NotThere text={text} found={found} retry={reload} />;
  const number = (value: number) => value.toLocaleString(language.value, { maximumFractionDigits: 1 });
  const counted = (value: number | null, shown: (value: string) => string) => (value === null ? health.counting : shown(number(value)));
  const works = (up: boolean) => (up ? health.up : health.down);
  const { tables, store, archive, incidents, bot_moves_waiting: waiting, tables_set_aside: setAside } = found;
  return (
    <section class="operator-list" aria-labelledby="operator-health">
      <h2 id="operator-health" class="hidden">
        {text.views.health}
      </h2>
      <p class="soft">{health.note}</p>
      <dl class="operator-figures">
        <Figure name={health.connections} value={number(found.connections)} note={health.sockets(found.sockets, found.sockets_limit)} />
        <Figure name={health.people} value={number(found.persons)} note={health.peopleAll(found.persons_of_all_workers)} />
        <Figure name={health.tables} value={number(tables.reduce((sum, { count }) => sum + count, 0))} note={tables.map(({ phase, count }) => `${text.tables.phases[phase] ?? phase} ${count}`).join(" · ")} />
        <Figure name={health.moves} value={counted(found.moves_per_second, health.perSecond)} note={health.movesTotal(number(found.moves))} />
        <Figure name={health.lag} value={counted(found.lag_p99_ms, health.milliseconds)} note={health.lagNote} />
        <Figure name={health.bots} value={number(waiting.quick + waiting.slow)} note={health.botQueue(waiting.quick, waiting.slow)} />
        <Figure name={health.store} value={works(store.up)} isBad={!store.up} note={store.commit_failures > 0 ? health.commitFailures(store.commit_failures) : ""} />
        <Figure name={health.archive} value={archive.damaged ? health.damaged : archive.configured ? works(archive.up) : health.notConfigured} isBad={archive.damaged || !archive.up} note={archive.tables_waiting > 0 ? health.waiting(archive.tables_waiting) : ""} />
        <Figure name={health.errors} value={number(found.errors)} isBad={found.errors > 0} note={health.errorsNote} />
        <Figure name={health.refused} value={number(found.refused)} note="" />
        <Figure name={health.workers} value={number(found.workers)} note={`${health.version} ${found.version}`} />
      </dl>
      <p>
        <a class="button" href={operatorPath("/bundle")} download="qipai-bundle.json">
          {health.bundle}
        </a>
      </p>
      <p class="soft">{health.bundleNote}</p>
      {setAside.length > 0 && (
        <>
          <h3>{health.setAside}</h3>
          <ul class="operator-rows">
            {setAside.map(({ room, reason }) => (
              <li key={room} class="operator-row">
                <span>
                  <code>{room}</code> {reason}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
      {incidents.length > 0 && (
        <>
          <h3>{health.incidents}</h3>
          <ul class="operator-rows">
            {incidents.map(({ incident, at, event, kind, place }) => (
              <li key={`${incident}/${at}`} class="operator-row">
                <div class="operator-row-text">
                  <span>
                    <code>{incident}</code> <b>{event}</b> {kind}
                  </span>
                  <span class="soft operator-meta">
                    {timeText(at)} · <code>{place}</code>
                  </span>
                </div>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function Figure({ name, value, note, isBad }: { name: string; value: string; note: string; isBad?: boolean }) {
  return (
    <div class={isBad ? "operator-figure operator-figure-bad" : "operator-figure"}>
      <dt>{name}</dt>
      <dd>
        <b>{value}</b>
        {note && <span class="soft">{note}</span>}
      </dd>
    </div>
  );
}
