/** Banner that shows connection problems and offers to retry. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { tableRulesOf } from "../table/tableRules";
import { texts } from "../i18n/language";
import { route } from "./route";
import { retry } from "../net/commands";
import { connectionState, outdated, pendingCommands, state, time } from "../net/session";
import { secondsUntil } from "../net/serverTime";
import { useInterval } from "../common/useInterval";

/** Shorter interruptions show no banner. */
const SHOW_AFTER = 600;

export function ConnectionBanner() {
  const labels = texts.value.connection;
  const known = state.value.name !== "";
  const well = connectionState.value.is === "up";
  const late = useSignal(false);
  const since = useRef(0);
  useEffect(() => {
    late.value = false;
    if (well) return;
    since.current = time.moment();
    const timer = setTimeout(() => (late.value = true), SHOW_AFTER);
    return () => clearTimeout(timer);
  }, [well]);
  useInterval(!well, 500);
  if (outdated.value) return <Banner text={texts.value.refusals.version} />;
  if (well || !late.value) return null;
  const now = time.moment();
  const hasPendingMove = pendingCommands.list.value.some((command) => command.type === "play");
  const wait = connectionState.value.is === "down" ? secondsUntil(connectionState.value.retryAt, now) : 0;
  const seconds = Math.floor((now - since.current) / 1000);
  if (!known && !hasPendingMove) return <Banner text={wait > 1 ? labels.retryIn(wait) : labels.connecting} retryButton={wait > 1} />;
  const first = hasPendingMove ? labels.moveKept(seconds) : labels.reconnecting(seconds);
  return <Banner text={[first, consequenceText(since.current, now)].filter(Boolean).join(" ")} retryButton={wait > 1} />;
}

/** Return what happens at the table if the connection stays down; the server starts counting slightly later. */
function consequenceText(since: number, now: number): string {
  const here = route.value;
  const table = here.at === "table" ? state.value.tables[here.room] : undefined;
  if (table === undefined || table.you === null || table.room.phase !== "playing") return "";
  const { forfeitAfter, substituteBot } = tableRulesOf(table.room.table);
  if (substituteBot) return texts.value.absence.youSubstitute;
  return forfeitAfter > 0 ? texts.value.absence.youForfeit(secondsUntil(since + forfeitAfter * 1000, now)) : "";
}

function Banner({ text, retryButton = false }: { text: string; retryButton?: boolean }) {
  return (
    <div class="connection-banner" role="status">
      <span>{text}</span>
      {retryButton && (
        <button class="small" onClick={retry}>
          {texts.value.connection.retryNow}
        </button>
      )}
    </div>
  );
}
