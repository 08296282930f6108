/** What guests see: sign in, use a recovery code, or create an account. */

import { useSignal, type Signal } from "@preact/signals";
import type { AccountTexts } from "../i18n/types/account";
import { useEffect } from "preact/hooks";
import { state } from "../net/session";
import { AccountForm, PasswordField, TextField } from "./AccountForm";
import { fetchProvider, fetchRegistrations, isRefusal, type Refusal, type Registrations } from "./accountApi";
import { goToProvider } from "./openid/openid";
import { hasPasskeys, offerPasskeys } from "./passkeys";
import { recover, register, registerWithPasskey, signIn, signInWithPasskey, useSignature } from "./signIn";

interface PanelsProps {
  text: AccountTexts;
  /** Set when codes are to be shown. */
  newCodes: Signal<readonly string[]>;
}

interface AskingProps {
  /** Whether a button asks for a passkey. A browser answers one question at a time: meanwhile the name field offers none. */
  asking: Signal<boolean>;
}

export function SignInPanels({ text, newCodes }: PanelsProps) {
  const forgotten = useSignal(false);
  const asking = useSignal(false);
  return (
    <>
      <p class="soft account-why">{text.why}</p>
      <div class="account-panels">
        {forgotten.value ? <Recovery text={text} onBack={() => (forgotten.value = false)} /> : <SignIn text={text} asking={asking} onForgotten={() => (forgotten.value = true)} />}
        <Create text={text} newCodes={newCodes} asking={asking} />
      </div>
    </>
  );
}

/** Ask for a passkey while the name field offers none. After a success it stays so: the page learns of the session a moment later. */
async function askAlone<T extends object>(asking: Signal<boolean>, ask: () => Promise<T | Refusal>): Promise<T | Refusal> {
  asking.value = true;
  const answer = await ask();
  if (isRefusal(answer)) asking.value = false;
  return answer;
}

function SignIn({ text, asking, onForgotten }: AskingProps & { text: AccountTexts; onForgotten: () => void }) {
  useEffect(() => (asking.value ? undefined : offerPasskeys(useSignature)), [asking.value]);
  const ask = () => askAlone(asking, signInWithPasskey);
  const provider = useSignal("");
  useEffect(() => void fetchProvider().then((name) => (provider.value = name)), []);
  return (
    <section class="account-panel" aria-labelledby="sign-in-title">
      <h2 id="sign-in-title">{text.signIn.title}</h2>
      <AccountForm text={text} button={text.signIn.button} send={({ name, password }) => signIn(name!, password!)}>
        <TextField label={text.name} name="name" autocomplete={hasPasskeys ? "username webauthn" : "username"} maxLength={40} />
        <PasswordField text={text} label={text.password} name="password" autocomplete="current-password" />
      </AccountForm>
      {hasPasskeys && <AccountForm text={text} button={text.passkeys.signIn} send={ask} second />}
      {provider.value && <AccountForm text={text} button={text.openid.signIn(provider.value)} send={() => goToProvider("sign_in")} second />}
      <button class="link" onClick={onForgotten}>
        {text.signIn.forgotten}
      </button>
    </section>
  );
}

function Recovery({ text, onBack }: { text: AccountTexts; onBack: () => void }) {
  return (
    <section class="account-panel" aria-labelledby="recover-title">
      <h2 id="recover-title">{text.recover.title}</h2>
      <p class="soft">{text.recover.note}</p>
      <AccountForm text={text} button={text.recover.button} send={({ name, code, password }) => recover(name!, code!, password!)}>
        <TextField label={text.name} name="name" autocomplete="username" maxLength={40} />
        <TextField label={text.recover.code} name="code" autocomplete="one-time-code" maxLength={40} />
        <PasswordField text={text} label={text.newPassword} name="password" autocomplete="new-password" note={text.passwordNote} />
      </AccountForm>
      <button class="link" onClick={onBack}>
        {text.recover.back}
      </button>
    </section>
  );
}

function Create({ text, newCodes, asking }: PanelsProps & AskingProps) {
  const byPasskey = useSignal(false);
  const mode = useSignal<Registrations>("open");
  useEffect(() => void fetchRegistrations().then((found) => (mode.value = found)), []);
  const send = async ({ name, password, invitation = "" }: Record<string, string>) => {
    const answer = await (byPasskey.value ? askAlone(asking, () => registerWithPasskey(name!, invitation)) : register(name!, password!, invitation));
    if (!isRefusal(answer)) newCodes.value = answer.recovery_codes;
    // The server may have changed who may register meanwhile.
    else if (answer.error === "invitation_needed") mode.value = "invited";
    else if (answer.error === "registrations_closed") mode.value = "closed";
    return answer;
  };
  if (mode.value === "closed") {
    return (
      <section class="account-panel" aria-labelledby="create-title">
        <h2 id="create-title">{text.create.title}</h2>
        <p role="status">{text.create.closed}</p>
      </section>
    );
  }
  return (
    <section class="account-panel" aria-labelledby="create-title">
      <h2 id="create-title">{text.create.title}</h2>
      <p class="soft">{text.create.note}</p>
      <AccountForm text={text} button={byPasskey.value ? text.passkeys.create : text.create.button} send={send}>
        {mode.value === "invited" && <TextField label={text.create.invitation} name="invitation" autocomplete="off" note={text.create.invitationNote} maxLength={60} />}
        <TextField label={text.name} name="name" autocomplete="username" note={text.nameNote} value={state.value.name} maxLength={40} />
        {byPasskey.value ? <p class="soft">{text.passkeys.createNote}</p> : <PasswordField text={text} label={text.newPassword} name="password" autocomplete="new-password" note={text.passwordNote} />}
      </AccountForm>
      {hasPasskeys && (
        <button class="link" onClick={() => (byPasskey.value = !byPasskey.value)}>
          {byPasskey.value ? text.passkeys.withPassword : text.passkeys.withPasskey}
        </button>
      )}
    </section>
  );
}
