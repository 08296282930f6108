/** Requests of operators and moderators. Everybody else is answered "not found". */

import type { LogEntry } from "./operatorTypes";

const ROOT = "/api/operator";

/** Why nothing came or nothing was done; `about` says more. */
export interface Failure {
  error: string;
  about?: string;
}

export type Query = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** Whether an answer is a failure. */
export const isFailure = (answer: object): answer is Failure => "error" in answer;

/** Return a path below that of operators, with the parts of the query that are set. */
export function operatorPath(path: string, query: Query = {}): string {
  const set = Object.entries(query).filter(([, value]) => value !== "" && value !== null && value !== undefined);
  const text = new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString();
  return `${ROOT}${path}${text && `?${text}`}`;
}

/** Read something. */
export const read = <T extends object>(path: string, query: Query = {}, ask: typeof fetch = fetch): Promise<T | Failure> => request<T>(ask, operatorPath(path, query), {});

/** Do something, which the answer shows as an entry of the log. */
export const act = <T extends object = { entry: LogEntry }>(path: string, body: object, ask: typeof fetch = fetch): Promise<T | Failure> =>
  request<T>(ask, operatorPath(path), { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

async function request<T extends object>(ask: typeof fetch, path: string, options: RequestInit): Promise<T | Failure> {
  let answer: Response;
  try {
    answer = await ask(path, { ...options, cache: "no-store", credentials: "same-origin" });
  } catch {
    return { error: "unreachable" };
  }
  try {
    return (await answer.json()) as T | Failure;
  } catch {
    // Somebody without a role gets the plain answer of an unknown path.
    return { error: answer.status === 404 ? "not_found" : "unavailable" };
  }
}
