/** Says in plain words how the connection is, but only when it is not well. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { words } from "../i18n";
import { line, outbox, outdated, retry, state, time } from "../session";
import { secondsUntil } from "../time";
import { useTicking } from "./ticking";

/** A blip shorter than this is not worth a banner. */
const PATIENCE = 600;

export function LineBanner() {
  const text = words.value.line;
  const known = state.value.name !== "";
  const well = line.value.is === "up";
  const late = useSignal(false);
  useEffect(() => {
    late.value = false;
    if (well) return;
    const timer = setTimeout(() => (late.value = true), PATIENCE);
    return () => clearTimeout(timer);
  }, [well]);
  useTicking(!well, 500);
  if (outdated.value) return <Banner text={words.value.refusals.version} />;
  if (well || !late.value) return null;
  const kept = outbox.list.value.some((command) => command.type === "play");
  const wait = line.value.is === "down" ? secondsUntil(line.value.retryAt, time.moment()) : 0;
  if (wait > 1) return <Banner text={(kept ? text.keptSoon : text.soon)(wait)} again />;
  return <Banner text={kept ? text.kept : known ? text.reconnecting : text.connecting} />;
}

function Banner({ text, again = false }: { text: string; again?: boolean }) {
  return (
    <div class="line-banner" role="status">
      <span>{text}</span>
      {again && (
        <button class="small" onClick={retry}>
          {words.value.line.now}
        </button>
      )}
    </div>
  );
}
