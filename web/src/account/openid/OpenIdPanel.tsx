/** The link of an account with the provider of this server: made and removed. */

import { useSignal } from "@preact/signals";
import type { AccountTexts } from "../../i18n/types/account";
import { AccountForm, dateText, ProofField, refusalText } from "../AccountForm";
import { isRefusal, postAccount, type Account, type Refusal } from "../accountApi";
import { proofOf } from "../passkeys";
import { goToProvider } from "./openid";

interface PanelProps {
  text: AccountTexts;
  account: Account;
  reload: () => Promise<void>;
}

export function OpenIdPanel({ text, account, reload }: PanelProps) {
  const refusal = useSignal<Refusal | null>(null);
  if (account.openid === null) return null;
  const { provider, issuer } = account.openid;
  const linked = account.identities.find((each) => each.issuer === issuer);
  const link = async ({ password }: Record<string, string>) => {
    const proof = await proofOf(account, password);
    return isRefusal(proof) ? proof : goToProvider("link", proof);
  };
  const unlink = async () => {
    const answer = await postAccount("openid-unlink", {});
    refusal.value = isRefusal(answer) ? answer : null;
    await reload();
  };
  return (
    <section class="account-panel" aria-labelledby="openid-title">
      <h2 id="openid-title">{provider}</h2>
      {linked ? (
        <>
          <p>{text.openid.linked(dateText(linked.linked))}</p>
          <p class="account-error" role="alert">
            {refusal.value && refusalText(text, refusal.value)}
          </p>
          <button onClick={() => void unlink()}>{text.openid.unlink}</button>
        </>
      ) : (
        <>
          <p class="soft">{text.openid.note(provider)}</p>
          <AccountForm text={text} button={text.openid.link(provider)} send={link} second>
            <ProofField text={text} account={account} label={text.password} name="password" />
          </AccountForm>
        </>
      )}
    </section>
  );
}
