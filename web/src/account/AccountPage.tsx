/** The account page: sign in or create an account, or change the one you have. */

import { useSignal } from "@preact/signals";
import type { FunctionComponent } from "preact";
import { lazyTexts } from "../i18n/lazyTexts";
import type { AccountTexts } from "../i18n/types/account";
import type { RelationTexts } from "../i18n/types/relations";
import { state } from "../net/session";
import { loadRelationTexts } from "../relations/relationTexts";
import { AccountPanels } from "./AccountPanels";
import { Newcomer } from "./openid/Newcomer";
import { Outcome } from "./openid/Outcome";
import { RecoveryCodes } from "./RecoveryCodes";
import { SignInLink } from "./SignInLink";
import { SignInPanels } from "./SignInPanels";
import "./account.css";

export interface AccountPageProps {
  /** The secret of a link with which a person signs in once. */
  link: string | undefined;
  /** What came of a way to the provider. */
  outcome: string | undefined;
}

/** Load the texts, and return the page. */
export async function loadPage(): Promise<FunctionComponent<AccountPageProps>> {
  const accountTexts = await lazyTexts(import.meta.glob<AccountTexts>("../i18n/*/account.ts", { import: "account" }));
  const relationTexts = await loadRelationTexts();
  return ({ link, outcome }) => <AccountPage text={accountTexts.value} relationText={relationTexts.value} link={link} outcome={outcome} />;
}

function AccountPage({ text, relationText, link, outcome }: AccountPageProps & { text: AccountTexts; relationText: RelationTexts }) {
  const newCodes = useSignal<readonly string[]>([]);
  return (
    <section class="account" aria-labelledby="account-title">
      <h1 id="account-title">{text.title}</h1>
      {newCodes.value.length > 0 ? (
        <RecoveryCodes text={text} codes={newCodes.value} onDone={() => (newCodes.value = [])} />
      ) : link ? (
        <SignInLink key={link} text={text} link={link} newCodes={newCodes} />
      ) : outcome === "new" ? (
        <Newcomer text={text} newCodes={newCodes} />
      ) : (
        <>
          {outcome && <Outcome text={text} outcome={outcome} />}
          {state.value.account ? <AccountPanels text={text} relationText={relationText} newCodes={newCodes} /> : <SignInPanels text={text} newCodes={newCodes} />}
        </>
      )}
    </section>
  );
}
