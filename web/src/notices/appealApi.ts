/** Sends an appeal against a sanction. */

import { guestToken } from "../net/session";

export type AppealError = "no_such_sanction" | "appeal_open" | "rate_limited" | "no_reason" | "unavailable" | "unreachable";

/** Send it; return why it was refused, or null. */
export async function sendAppeal(sanction: number, text: string, ask: typeof fetch = fetch): Promise<AppealError | null> {
  const token = guestToken();
  try {
    const answer = await ask("/api/appeals", {
      method: "POST",
      // Who a guest is tells the token; accounts have a cookie.
      headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify({ sanction, text }),
      cache: "no-store",
      credentials: "same-origin",
    });
    if (answer.ok) return null;
    const { error } = (await answer.json().catch(() => ({ error: "unavailable" }))) as { error: AppealError };
    return error;
  } catch {
    return "unreachable";
  }
}
