/** The API tokens of an account: listed, created and revoked. */

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { copyText } from "../../common/clipboard";
import type { AccountTexts } from "../../i18n/types/account";
import { AccountForm, dateText, ProofField, refusalText, TextField } from "../AccountForm";
import { isRefusal, postAccount, type Account, type ApiTokenRow, type CreatedApiToken, type Refusal } from "../accountApi";
import { proofOf } from "../passkeys";

const MAX_NAME = 40;
/** Days after which a token expires; the first is suggested, and 0 stands for never. */
const LIVES = [90, 30, 365, 0];

interface PanelProps {
  text: AccountTexts;
  account: Account;
  reload: () => Promise<void>;
}

export function TokensPanel({ text, account, reload }: PanelProps) {
  const refusal = useSignal<Refusal | null>(null);
  const secret = useSignal("");
  const revoke = async ({ id }: ApiTokenRow) => {
    const answer = await postAccount("api-token-revoke", { id });
    refusal.value = isRefusal(answer) ? answer : null;
    await reload();
  };
  const create = async ({ token, days, password }: Record<string, string>) => {
    const proof = await proofOf(account, password);
    if (isRefusal(proof)) return proof;
    const answer = await postAccount<CreatedApiToken>("api-token-create", { ...proof, name: token, days: Number(days) || null });
    if (!isRefusal(answer)) secret.value = answer.secret;
    return answer;
  };
  return (
    <section class="account-panel" aria-labelledby="tokens-title">
      <h2 id="tokens-title">{text.tokens.title}</h2>
      <p class="soft">{text.tokens.note}</p>
      {account.api_tokens.length > 0 && (
        <ul class="devices">
          {account.api_tokens.map((token) => (
            <TokenRow key={token.id} text={text} token={token} onRevoke={() => void revoke(token)} />
          ))}
        </ul>
      )}
      <p class="account-error" role="alert">
        {refusal.value && refusalText(text, refusal.value)}
      </p>
      {secret.value ? (
        <Secret text={text} secret={secret.value} onDone={() => (secret.value = "")} />
      ) : (
        <AccountForm text={text} button={text.tokens.create} send={create} onDone={() => void reload()}>
          <TextField label={text.tokens.name} name="token" autocomplete="off" note={text.tokens.nameNote} maxLength={MAX_NAME} />
          <ExpiryField text={text} />
          <ProofField text={text} account={account} name="password" label={text.password} />
        </AccountForm>
      )}
    </section>
  );
}

function TokenRow({ text: { tokens }, token, onRevoke }: { text: AccountTexts; token: ApiTokenRow; onRevoke: () => void }) {
  const facts = [token.used === null ? tokens.unused : tokens.used(dateText(token.used)), token.expires !== null && tokens.expires(dateText(token.expires))];
  return (
    <li>
      <span class="device">
        <strong>
          <bdi>{token.name}</bdi>
        </strong>
        <span class="soft">{facts.filter(Boolean).join(" · ")}</span>
      </span>
      <button class="small" aria-label={tokens.revokeOf(token.name)} onClick={onRevoke}>
        {tokens.revoke}
      </button>
    </li>
  );
}

function ExpiryField({ text: { tokens } }: { text: AccountTexts }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{tokens.expiry}</label>
      <select id={id} name="days">
        {LIVES.map((days) => (
          <option key={days} value={days}>
            {days ? tokens.days(days) : tokens.never}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A new token, which is shown once. */
function Secret({ text: { tokens }, secret, onDone }: { text: AccountTexts; secret: string; onDone: () => void }) {
  const copied = useSignal(false);
  return (
    <div class="token-secret" role="group" aria-labelledby="secret-title">
      <h3 id="secret-title" tabIndex={-1} ref={(title) => title?.focus()}>
        {tokens.secret}
      </h3>
      <p>{tokens.secretNote}</p>
      <code>{secret}</code>
      <div class="buttons">
        <button onClick={() => void copyText(secret).then((done) => (copied.value = done))}>{copied.value ? tokens.copied : tokens.copy}</button>
        <button class="primary" onClick={onDone}>
          {tokens.done}
        </button>
      </div>
    </div>
  );
}
