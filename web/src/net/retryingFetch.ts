/** Repeats requests that the server is too busy for, when the server says. */

/** Too many requests of this address, or of all. */
const BUSY: readonly number[] = [429, 503];
/** Seconds to wait if the server names none, as a proxy in front of it. */
const DEFAULT_SECONDS = 5;
const MAX_SECONDS = 60;
const MAX_TRIES = 10;

/** Return a `fetch` that calls `onWait` with the seconds before each repetition, and ends with the signal. */
export function retryingFetch(onWait: (seconds: number) => void, signal: AbortSignal, ask: typeof fetch = fetch): typeof fetch {
  return async (path, init) => {
    for (let tries = 1; ; tries += 1) {
      const answer = await ask(path, { ...init, signal });
      if (!BUSY.includes(answer.status) || tries === MAX_TRIES) return answer;
      const seconds = secondsToWait(answer);
      onWait(seconds);
      await sleep(seconds * 1000, signal);
    }
  };
}

function secondsToWait(answer: Response): number {
  const named = Math.ceil(Number(answer.headers.get("retry-after")));
  return named > 0 ? Math.min(named, MAX_SECONDS) : DEFAULT_SECONDS;
}

function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => (clearTimeout(timer), reject(signal.reason as Error)), { once: true });
  });
}
