/** The passkeys of an account: listed, added and removed. */

import { useSignal } from "@preact/signals";
import type { AccountTexts } from "../i18n/types/account";
import { AccountForm, dateText, ProofField, refusalText } from "./AccountForm";
import { isRefusal, postAccount, type Account, type PasskeyRow, type Refusal } from "./accountApi";
import { deviceName } from "./deviceName";
import { hasPasskeys, makePasskey, proofOf } from "./passkeys";

interface PanelProps {
  text: AccountTexts;
  account: Account;
  reload: () => Promise<void>;
}

export function PasskeyPanel({ text, account, reload }: PanelProps) {
  const refusal = useSignal<Refusal | null>(null);
  if (!hasPasskeys && account.passkeys.length === 0) return null;
  const remove = async ({ id }: PasskeyRow) => {
    const answer = await postAccount("passkey-remove", { id });
    refusal.value = isRefusal(answer) ? answer : null;
    await reload();
  };
  const add = async ({ password }: Record<string, string>) => {
    const proof = await proofOf(account, password);
    if (isRefusal(proof)) return proof;
    const found = await makePasskey("passkey-add-options", {});
    return isRefusal(found) ? found : postAccount("passkey-add", { ...found, ...proof });
  };
  return (
    <section class="account-panel" aria-labelledby="passkeys-title">
      <h2 id="passkeys-title">{text.passkeys.title}</h2>
      <p class="soft">{text.passkeys.note}</p>
      {account.passkeys.length > 0 && (
        <ul class="devices">
          {account.passkeys.map((passkey) => (
            <li key={passkey.id}>
              <span class="device">
                <strong>{deviceName(passkey.device)}</strong>
                <span class="soft">{text.passkeys.made(dateText(passkey.created))}</span>
              </span>
              <button class="small" aria-label={text.passkeys.removeOf(deviceName(passkey.device))} onClick={() => void remove(passkey)}>
                {text.passkeys.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
      <p class="account-error" role="alert">
        {refusal.value && refusalText(text, refusal.value)}
      </p>
      {hasPasskeys && (
        <AccountForm text={text} button={text.passkeys.add} send={add} onDone={() => void reload()}>
          <ProofField text={text} account={account} name="password" label={text.password} />
        </AccountForm>
      )}
    </section>
  );
}
