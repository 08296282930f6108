/** A form about an account: its fields, the button, and why the server refused it. */

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";
import { language } from "../i18n/language";
import type { AccountTexts } from "../i18n/types/account";
import { isRefusal, type Account, type AccountError, type Refusal } from "./accountApi";
import { goToProvider, isLinked } from "./openid/openid";
import { canSign } from "./passkeys";

interface FormProps {
  text: AccountTexts;
  button: string;
  /** Send what was entered; the values are those of the fields by name. */
  send: (values: Record<string, string>) => Promise<object | Refusal>;
  onDone?: () => void;
  /** Whether another form of the panel has the main button. */
  second?: boolean;
  children?: ComponentChildren;
}

/** While a request runs the form cannot be sent again. */
export function AccountForm({ text, button, send, onDone, second, children }: FormProps) {
  const refusal = useSignal<Refusal | null>(null);
  const waiting = useSignal(false);
  const form = useRef<HTMLFormElement>(null);
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (waiting.value || form.current === null) return;
    const values = Object.fromEntries([...new FormData(form.current)].map(([name, value]) => [name, String(value)]));
    waiting.value = true;
    refusal.value = null;
    const answer = await send(values);
    waiting.value = false;
    if (isRefusal(answer)) {
      refusal.value = answer;
      return;
    }
    form.current?.reset();
    onDone?.();
  };
  return (
    <form class="account-form" ref={form} onSubmit={submit}>
      {children}
      <p class="account-error" role="alert">
        {refusal.value && refusalText(text, refusal.value)}
      </p>
      <button class={second ? "" : "primary"} disabled={waiting.value}>
        {button}
      </button>
    </form>
  );
}

/** Return what is wrong, in the language of the page. */
export function refusalText(text: AccountTexts, { error, about }: Refusal): string {
  const known = (text.errors as Partial<Record<AccountError, string>>)[error] ?? text.errors.unavailable;
  if (error === "renamed_recently" && about) return text.changeName.until(dateText(Number(about)));
  if (error === "banned" && about) return `${known} ${about}`;
  return error === "password_weak" && about ? `${known} ${text.weak[about] ?? about}` : known;
}

export const dateText = (at: number): string => new Date(at).toLocaleDateString(language.value, { dateStyle: "medium" });

interface FieldProps {
  label: string;
  name: string;
  autocomplete: string;
  note?: string | undefined;
  value?: string;
  maxLength?: number;
  optional?: boolean;
}

export function TextField({ label, name, autocomplete, note, value, maxLength }: FieldProps) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        name={name}
        required
        autocomplete={autocomplete}
        autocapitalize="none"
        spellcheck={false}
        defaultValue={value}
        maxLength={maxLength}
        aria-describedby={note ? `${id}-note` : undefined}
      />
      {note && (
        <p class="soft" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}

/** A password, which can be shown. */
export function PasswordField({ text, label, name, autocomplete, note, optional }: FieldProps & { text: AccountTexts }) {
  const id = useId();
  const shown = useSignal(false);
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="password">
        <input
          id={id}
          name={name}
          required={!optional}
          {...(shown.value ? { type: "text" as const } : { type: "password" as const })}
          autocomplete={autocomplete}
          autocapitalize="none"
          spellcheck={false}
          maxLength={200}
          aria-describedby={note ? `${id}-note` : undefined}
        />
        <button type="button" class="quiet password-eye" role="switch" aria-checked={shown.value} aria-label={text.showPassword} title={text.showPassword} onClick={() => (shown.value = !shown.value)}>
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d="M1.5 8s2.4-4.2 6.5-4.2S14.5 8 14.5 8s-2.4 4.2-6.5 4.2S1.5 8 1.5 8z" />
            <circle cx="8" cy="8" r="2" />
            {!shown.value && <path d="M3 13L13 3" />}
          </svg>
        </button>
      </div>
      {note && (
        <p class="soft" id={`${id}-note`}>
          {note}
        </p>
      )}
    </div>
  );
}

/** The present password, which may be left empty where something else proves who is there; nothing for an account without one. */
export function ProofField({ text, account, label, name, note }: { text: AccountTexts; account: Account; label: string; name: string; note?: string }) {
  const [byPasskey, confirmed] = [canSign(account), account.openid?.confirmed ?? false];
  const confirm = isLinked(account) && !confirmed && <Confirm text={text} account={account} />;
  if (!account.has_password) {
    const soft = [note, confirmed && text.openid.confirmed].filter(Boolean).join(" ");
    return (
      <>
        {soft && <p class="soft">{soft}</p>}
        {!byPasskey && confirm}
      </>
    );
  }
  const notes = [note, confirmed ? text.openid.confirmed : byPasskey && text.passkeys.orPasskey].filter(Boolean).join(" ");
  return (
    <>
      <PasswordField text={text} label={label} name={name} autocomplete="current-password" note={notes || undefined} optional={byPasskey || confirmed} />
      {confirm}
    </>
  );
}

/** A button that leads to the provider, where the owner of the account proves who they are. */
function Confirm({ text, account }: { text: AccountTexts; account: Account }) {
  const refusal = useSignal<Refusal | null>(null);
  const go = async () => {
    const answer = await goToProvider("confirm");
    refusal.value = isRefusal(answer) ? answer : null;
  };
  return (
    <>
      <button type="button" class="link" onClick={() => void go()}>
        {text.openid.confirm(account.openid!.provider)}
      </button>
      <p class="account-error" role="alert">
        {refusal.value && refusalText(text, refusal.value)}
      </p>
    </>
  );
}
