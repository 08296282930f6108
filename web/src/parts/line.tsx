/** Says in plain words how the connection is, but only when it is not well. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { houseOf } from "../house";
import { words } from "../i18n";
import { text } from "../i18n/room";
import { route } from "../route";
import { line, outbox, outdated, retry, state, time } from "../session";
import { secondsUntil } from "../time";
import { useTicking } from "./ticking";

/** A blip shorter than this is not worth a banner. */
const PATIENCE = 600;

export function LineBanner() {
  const said = words.value.line;
  const known = state.value.name !== "";
  const well = line.value.is === "up";
  const late = useSignal(false);
  const since = useRef(0);
  useEffect(() => {
    late.value = false;
    if (well) return;
    since.current = time.moment();
    const timer = setTimeout(() => (late.value = true), PATIENCE);
    return () => clearTimeout(timer);
  }, [well]);
  useTicking(!well, 500);
  if (outdated.value) return <Banner text={words.value.refusals.version} />;
  if (well || !late.value) return null;
  const now = time.moment();
  const kept = outbox.list.value.some((command) => command.type === "play");
  const wait = line.value.is === "down" ? secondsUntil(line.value.retryAt, now) : 0;
  const gone = Math.floor((now - since.current) / 1000);
  if (!known && !kept) return <Banner text={wait > 1 ? said.soon(wait) : said.connecting} again={wait > 1} />;
  const first = kept ? said.kept(gone) : said.reconnecting(gone);
  return <Banner text={[first, stakes(since.current, now)].filter(Boolean).join(" ")} again={wait > 1} />;
}

/** Say what happens at the table if it takes long; the server's count begins a little later than ours. */
function stakes(since: number, now: number): string {
  const here = route.value;
  const seen = here.at === "table" ? state.value.tables[here.room] : undefined;
  if (seen === undefined || seen.you === null || seen.room.phase !== "playing") return "";
  const { away, standin } = houseOf(seen.room.table);
  if (standin) return text.value.gone.youStandin;
  return away > 0 ? text.value.gone.youLose(secondsUntil(since + away * 1000, now)) : "";
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
