/** The page of a link with which a person signs in once: choose a new password or passkey. */

import { useSignal, type Signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { go, href } from "../app/route";
import type { AccountTexts } from "../i18n/types/account";
import { AccountForm, PasswordField, refusalText } from "./AccountForm";
import { isRefusal, postAccount, type Refusal, type SignedIn } from "./accountApi";
import { hasPasskeys } from "./passkeys";
import { signInByLink, signInByLinkWithPasskey } from "./signIn";

interface LinkProps {
  text: AccountTexts;
  link: string;
  /** Set when codes are to be shown. */
  newCodes: Signal<readonly string[]>;
}

export function SignInLink({ text, link, newCodes }: LinkProps) {
  const found = useSignal<{ name: string } | Refusal | null>(null);
  useEffect(() => {
    void postAccount<{ name: string }>("link", { token: link }).then((answer) => (found.value = answer));
  }, [link]);
  const signedIn = async (work: Promise<SignedIn | Refusal>) => {
    const answer = await work;
    if (!isRefusal(answer)) {
      newCodes.value = answer.recovery_codes;
      // The link is used: it does not stay in the history.
      go({ at: "account" }, true);
    }
    return answer;
  };
  const owner = found.value;
  return (
    <section class="account-panel" aria-labelledby="link-title">
      <h2 id="link-title">{text.signInLink.title}</h2>
      {owner === null ? (
        <p class="soft" role="status">
          {text.loading}
        </p>
      ) : isRefusal(owner) ? (
        <>
          <p class="account-error" role="alert">
            {refusalText(text, owner)}
          </p>
          <a class="button" href={href({ at: "account" })}>
            {text.signInLink.toAccount}
          </a>
        </>
      ) : (
        <>
          <p>{text.signInLink.note(owner.name)}</p>
          <p class="soft">{text.signInLink.passkeyKept}</p>
          <AccountForm text={text} button={text.signInLink.button} send={({ password }) => signedIn(signInByLink(link, password!))}>
            {/* Password managers save the new password under this name. */}
            <input type="text" name="username" autocomplete="username" value={owner.name} readOnly hidden />
            <PasswordField text={text} label={text.newPassword} name="password" autocomplete="new-password" note={text.passwordNote} />
          </AccountForm>
          {hasPasskeys && <AccountForm text={text} button={text.signInLink.passkey} send={() => signedIn(signInByLinkWithPasskey(link))} second />}
        </>
      )}
    </section>
  );
}
