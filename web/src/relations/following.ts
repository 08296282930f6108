/** Whom the user follows, and who of them is online: asked while something shows it. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { isConnected, state } from "../net/session";
import { fetchFollowing, type Followed } from "./relationsApi";

/** Milliseconds between two questions. */
const ASK_EVERY = 10_000;

/** Null: not known yet. */
export const following = signal<readonly Followed[] | null>(null);

/** How many parts of the page show it. */
let shown = 0;
let timer = 0;

/** Ask at once, and again after a while. */
export async function refreshFollowing(): Promise<void> {
  clearTimeout(timer);
  const person = state.peek().name;
  if (!document.hidden && isConnected.peek() && state.peek().account) {
    const found = await fetchFollowing();
    // Somebody else may have signed in meanwhile.
    if (found && state.peek().name === person) following.value = found;
  }
  clearTimeout(timer);
  if (shown > 0 && !document.hidden) timer = window.setTimeout(() => void refreshFollowing(), ASK_EVERY);
}

/** Hook: keep it up to date while the caller shows it. */
export function useFollowing(wanted = true): readonly Followed[] | null {
  const { account, name } = state.value;
  const connected = isConnected.value;
  useEffect(() => {
    if (!account) following.value = null;
    if (!account || !connected || !wanted) return;
    shown += 1;
    void refreshFollowing();
    const onVisible = () => void (document.hidden || refreshFollowing());
    document.addEventListener("visibilitychange", onVisible);
    return () => {
      shown -= 1;
      if (shown === 0) clearTimeout(timer);
      document.removeEventListener("visibilitychange", onVisible);
    };
  }, [account, name, connected, wanted]);
  return following.value;
}
