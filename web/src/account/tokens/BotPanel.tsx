/** Makes an account that has not played a bot account. */

import { useSignal } from "@preact/signals";
import type { AccountTexts } from "../../i18n/types/account";
import { AccountForm, ProofField } from "../AccountForm";
import { isRefusal, postAccount, type Account } from "../accountApi";
import { proofOf } from "../passkeys";

interface PanelProps {
  text: AccountTexts;
  account: Account;
  reload: () => Promise<void>;
}

export function BotPanel({ text, account, reload }: PanelProps) {
  const asked = useSignal(false);
  const send = async ({ password }: Record<string, string>) => {
    const proof = await proofOf(account, password);
    return isRefusal(proof) ? proof : postAccount("become-bot", proof);
  };
  return (
    <section class="account-panel" aria-labelledby="bot-title">
      <h2 id="bot-title">{text.bot.title}</h2>
      {account.bot ? <p>{text.bot.is}</p> : <p class="soft">{text.bot.note}</p>}
      {account.bot ? null : asked.value ? (
        <AccountForm text={text} button={text.bot.confirm} send={send} onDone={() => void reload()} second>
          <ProofField text={text} account={account} label={text.password} name="password" />
        </AccountForm>
      ) : (
        <button onClick={() => (asked.value = true)}>{text.bot.button}</button>
      )}
    </section>
  );
}
