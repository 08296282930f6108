/** The account page: sign in or create an account, or change the one you have. */

import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { lazyTexts } from "../i18n/lazyTexts";
import type { AccountTexts } from "../i18n/types/account";
import { state } from "../net/session";
import { AccountPanels } from "./AccountPanels";
import { RecoveryCodes } from "./RecoveryCodes";
import { SignInPanels } from "./SignInPanels";
import "./account.css";

/** Load the texts, and return the page. */
export async function loadPage(): Promise<FunctionComponent> {
  const accountTexts = await lazyTexts(import.meta.glob<AccountTexts>("../i18n/*/account.ts", { import: "account" }));
  return () => <AccountPage text={accountTexts.value} />;
}

function AccountPage({ text }: { text: AccountTexts }) {
  const newCodes = useSignal<readonly string[]>([]);
  return (
    <section class="account" aria-labelledby="account-title">
      <h1 id="account-title">{text.title}</h1>
      {newCodes.value.length > 0 ? (
        <RecoveryCodes text={text} codes={newCodes.value} onDone={() => (newCodes.value = [])} />
      ) : state.value.account ? (
        <AccountPanels text={text} newCodes={newCodes} />
      ) : (
        <SignInPanels text={text} newCodes={newCodes} />
      )}
    </section>
  );
}
