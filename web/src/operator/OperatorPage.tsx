/** The page of operators and moderators; for everybody else there is no page at this address. */

import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { NotFoundPage } from "../app/MessagePage";
import { href, type OperatorView } from "../app/route";
import { lazyTexts } from "../i18n/lazyTexts";
import type { OperatorTexts } from "../i18n/types/operator";
import { state } from "../net/session";
import { useLoaded } from "./loading";
import { isFailure } from "./operatorApi";
import type { Overview, Role } from "./operatorTypes";
import { NotThere } from "./parts/FailureText";
import { HealthView } from "./views/HealthView";
import { LogView } from "./views/LogView";
import { PeopleView } from "./views/PeopleView";
import { ReportsView } from "./views/ReportsView";
import { SanctionsView } from "./views/SanctionsView";
import { ServerView } from "./views/ServerView";
import { TablesView } from "./views/TablesView";
import "./styles/operator.css";
import "./styles/operator-rows.css";

/** Milliseconds between two looks at how many reports are open. */
const LOOK_EVERY = 15_000;
const VIEWS: readonly [OperatorView, Role][] = [
  ["reports", "moderator"],
  ["people", "moderator"],
  ["sanctions", "moderator"],
  ["tables", "moderator"],
  ["server", "operator"],
  ["health", "operator"],
  ["log", "moderator"],
];

interface PageProps {
  view: OperatorView;
  id: string;
}

/** Load the texts, and return the page. */
export async function loadPage(): Promise<FunctionComponent<PageProps>> {
  const operatorTexts = await lazyTexts(import.meta.glob<OperatorTexts>("../i18n/*/operator.ts", { import: "operator" }));
  return (props) => <OperatorPage text={operatorTexts.value} {...props} />;
}

function OperatorPage({ text, view, id }: PageProps & { text: OperatorTexts }) {
  const { found, reload } = useLoaded<Overview>("", {}, LOOK_EVERY);
  // Another person may have signed in.
  const { account, name } = state.value;
  useEffect(reload, [view, id, account, name]);
  if (found !== null && isFailure(found) && found.error === "not_found") return <NotFoundPage />;
  const me = found === null || isFailure(found) ? null : found;
  const isAllowed = VIEWS.some(([each, needs]) => each === view && (me?.role === "operator" || needs === "moderator"));
  if (me !== null && !isAllowed) return <NotFoundPage />;
  return (
    <section class="operator" aria-labelledby="operator-title">
      <header class="operator-head">
        <h1 id="operator-title">{text.title}</h1>
        {me && (
          <p class="soft">
            <bdi>{me.name}</bdi> · {text.roles[me.role]}
          </p>
        )}
      </header>
      {me === null ? (
        <NotThere text={text} found={found} retry={reload} />
      ) : (
        <>
          <nav class="operator-views" aria-label={text.title}>
            {VIEWS.filter(([, needs]) => me.role === "operator" || needs === "moderator").map(([each]) => (
              <a key={each} href={href({ at: "operator", view: each, id: "" })} aria-current={each === view ? "page" : undefined}>
                {text.views[each]}
                {each === "reports" && me.open_reports > 0 && <span class="operator-count">{me.open_reports}</span>}
              </a>
            ))}
          </nav>
          <View text={text} view={view} id={id} me={me} reload={reload} />
        </>
      )}
    </section>
  );
}

/** What every view gets. */
export interface ViewProps {
  text: OperatorTexts;
  /** The report, person or table that is shown; empty for none. */
  id: string;
  /** Who looks at it. */
  me: Overview;
  /** Load the overview again, after an act. */
  reload: () => void;
}

function View({ view, ...props }: ViewProps & { view: OperatorView }) {
  switch (view) {
    case "reports":
      return <ReportsView {...props} />;
    case "people":
      return <PeopleView {...props} />;
    case "sanctions":
      return <SanctionsView {...props} />;
    case "tables":
      return <TablesView {...props} />;
    case "server":
      return <ServerView {...props} />;
    case "health":
      return <HealthView {...props} />;
    case "log":
      return <LogView key={props.id} {...props} />;
  }
}
