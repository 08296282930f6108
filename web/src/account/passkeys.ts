/** Passkeys of this device: made, and used to sign what the server asks. */

import { isRefusal, postAccount, type Account, type Refusal } from "./accountApi";

/** What a browser answers about a passkey, as JSON. */
export type PasskeyJson = ReturnType<PublicKeyCredential["toJSON"]>;

/** A password, or what a passkey signed. */
export type Proof = { password: string } | { passkey: PasskeyJson };

/** Milliseconds after which a new challenge is asked for; the server accepts it for 120 seconds. */
const RENEW_CHALLENGE = 90_000;

/** Whether the browser has passkeys for this site: it must be served over TLS or from localhost, and have a name. */
export const hasPasskeys: boolean =
  isSecureContext && typeof PublicKeyCredential === "function" && "parseRequestOptionsFromJSON" in PublicKeyCredential && !/^[\d.]+$|^\[/.test(location.hostname);

/** Make a passkey as the server asks. */
export async function makePasskey(action: string, body: object): Promise<{ made: PasskeyJson } | Refusal> {
  const options = await postAccount<PublicKeyCredentialCreationOptionsJSON>(action, body);
  if (isRefusal(options)) return options;
  const made = await answered(() => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }));
  return isRefusal(made) ? made : { made: made.passkey };
}

/** Sign a challenge of the server with a passkey. */
export async function signChallenge(action: string, more: CredentialRequestOptions = {}): Promise<{ passkey: PasskeyJson } | Refusal> {
  const options = await postAccount<PublicKeyCredentialRequestOptionsJSON>(action, {});
  if (isRefusal(options)) return options;
  return answered(() => navigator.credentials.get({ ...more, publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }));
}

/** Return what proves that the owner of the account is there: the password, or a passkey if none was entered. A cookie may do so too. */
export async function proofOf(account: Account, password = ""): Promise<Proof | Refusal> {
  return password || account.openid?.confirmed || !canSign(account) ? { password } : signChallenge("passkey-confirm-options");
}

/** Whether a passkey of this account may be on this device. */
export function canSign(account: Account): boolean {
  return hasPasskeys && account.passkeys.length > 0;
}

/** Offer passkeys where the name is entered, until one has signed in or the returned function is called. */
export function offerPasskeys(use: (passkey: PasskeyJson) => Promise<object | Refusal>): () => void {
  const stopped = new AbortController();
  void (async () => {
    if (!hasPasskeys || !(await PublicKeyCredential.isConditionalMediationAvailable?.())) return;
    while (!stopped.signal.aborted) {
      const signal = AbortSignal.any([stopped.signal, AbortSignal.timeout(RENEW_CHALLENGE)]);
      const found = await signChallenge("passkey-sign-in-options", { mediation: "conditional", signal });
      if (stopped.signal.aborted) return;
      if (!isRefusal(found)) {
        // The page learns of the new session a moment later; another answer until then would start a second one.
        if (!isRefusal(await use(found.passkey))) return;
        // Another answer than the end of the time would come again at once.
      } else if (!signal.aborted) return;
    }
  })();
  return () => stopped.abort();
}

async function answered(ask: () => Promise<Credential | null>): Promise<{ passkey: PasskeyJson } | Refusal> {
  try {
    const credential = await ask();
    return credential instanceof PublicKeyCredential ? { passkey: credential.toJSON() } : { error: "passkey_cancelled" };
  } catch (error) {
    // The device has a passkey of this account already.
    const isKnown = error instanceof DOMException && error.name === "InvalidStateError";
    return { error: isKnown ? "passkey_taken" : "passkey_cancelled" };
  }
}
