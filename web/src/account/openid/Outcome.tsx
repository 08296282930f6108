/** What came of a way to the provider: a fault is shown, everything else only needs the account page. */

import { useEffect } from "preact/hooks";
import { go } from "../../app/route";
import { showToast } from "../../app/toastState";
import type { AccountTexts } from "../../i18n/types/account";

/** Outcomes other than the faults. */
const SUCCESSES: readonly string[] = ["signed_in", "linked", "confirmed"];

export function Outcome({ text, outcome }: { text: AccountTexts; outcome: string }) {
  const isSuccess = SUCCESSES.includes(outcome);
  useEffect(() => {
    if (!isSuccess) return;
    if (outcome === "linked") showToast(text.openid.nowLinked);
    if (outcome === "confirmed") showToast(text.openid.confirmed);
    go({ at: "account" }, true);
  }, [outcome]);
  if (isSuccess) return null;
  return (
    <p class="account-error" role="alert">
      {(text.errors as Partial<Record<string, string>>)[outcome] ?? text.errors.openid_failed}
    </p>
  );
}
