/** Somebody who has signed in at the provider gets an account; the name is asked for if that of the provider cannot be used. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { go, href } from "../../app/route";
import type { AccountTexts } from "../../i18n/types/account";
import { isConnected } from "../../net/session";
import { AccountForm, refusalText, TextField } from "../AccountForm";
import { isRefusal, type AccountError, type Refusal } from "../accountApi";
import { registerNewcomer } from "../signIn";

/** Refusals after which the person can enter something else. */
const ANOTHER_TRY: readonly AccountError[] = ["bad_name", "name_taken", "invitation_needed"];

interface NewcomerProps {
  text: AccountTexts;
  /** Set when codes are to be shown. */
  newCodes: Signal<readonly string[]>;
}

export function Newcomer({ text, newCodes }: NewcomerProps) {
  const refusal = useSignal<Refusal | null>(null);
  const create = async (name: string, invitation: string) => {
    const answer = await registerNewcomer(name, invitation);
    if (!isRefusal(answer)) {
      newCodes.value = answer.recovery_codes;
      go({ at: "account" }, true);
    }
    return answer;
  };
  // The guest of this browser, who gets the account, is known after the welcome.
  const connected = isConnected.value;
  useEffect(() => {
    if (!connected || refusal.value) return;
    void create("", "").then((answer) => (refusal.value = isRefusal(answer) ? answer : null));
  }, [connected]);
  if (refusal.value === null) {
    return (
      <p class="soft" role="status">
        {text.loading}
      </p>
    );
  }
  const { error, about = "" } = refusal.value;
  if (!ANOTHER_TRY.includes(error)) {
    return (
      <>
        <p class="account-error" role="alert">
          {refusalText(text, { error })}
        </p>
        <p>
          <a class="button" href={href({ at: "account" })}>
            {text.signInLink.toAccount}
          </a>
        </p>
      </>
    );
  }
  return (
    <section class="account-panel" aria-labelledby="newcomer-title">
      <h2 id="newcomer-title">{text.openid.newcomer.title}</h2>
      <p class="soft">{text.openid.newcomer.note}</p>
      {about || error !== "bad_name" ? <p class="soft">{refusalText(text, { error })}</p> : null}
      <AccountForm text={text} button={text.openid.newcomer.button} send={({ name, invitation }) => create(name!, invitation ?? "")}>
        <TextField label={text.name} name="name" autocomplete="username" note={text.nameNote} value={about} maxLength={40} />
        {error === "invitation_needed" && <TextField label={text.create.invitation} name="invitation" autocomplete="off" note={text.create.invitationNote} maxLength={60} />}
      </AccountForm>
    </section>
  );
}
