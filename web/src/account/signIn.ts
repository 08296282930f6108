/** Changes of who this browser is: the page connects again, so that its tables belong to that person. */

import { changePerson, forgetGuest, guestToken } from "../net/session";
import { makePasskey, signChallenge, type PasskeyJson, type Proof } from "./passkeys";
import { isRefusal, postAccount, type Refusal, type SignedIn } from "./accountApi";

/** The code is empty where registrations need none. */
export async function register(name: string, password: string, invitation: string): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("register", { token: guestToken(), name, password, ...(invitation && { invitation }) }));
}

export async function signIn(name: string, password: string): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("sign-in", { name, password }));
}

export async function registerWithPasskey(name: string, invitation: string): Promise<SignedIn | Refusal> {
  const token = guestToken();
  const found = await makePasskey("passkey-register-options", { token, name });
  return isRefusal(found) ? found : connectAs(await postAccount<SignedIn>("register", { token, name, passkey: found.made, ...(invitation && { invitation }) }));
}

export async function signInWithPasskey(): Promise<SignedIn | Refusal> {
  const found = await signChallenge("passkey-sign-in-options");
  return isRefusal(found) ? found : useSignature(found.passkey);
}

/** Sign in with what a passkey has signed. */
export async function useSignature(passkey: PasskeyJson): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("passkey-sign-in", { passkey }));
}

export async function recover(name: string, code: string, password: string): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("recover", { name, code, password }));
}

/** Sign in with a link of the operator, and set a new password. */
export async function signInByLink(token: string, password: string): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("link-use", { token, password }));
}

export async function signInByLinkWithPasskey(token: string): Promise<SignedIn | Refusal> {
  const found = await makePasskey("link-passkey-options", { token });
  return isRefusal(found) ? found : connectAs(await postAccount<SignedIn>("link-use", { token, passkey: found.made }));
}

/** Create the account of somebody who has signed in at the provider; without a name it is that of the provider. */
export async function registerNewcomer(name: string, invitation: string): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("openid-register", { token: guestToken(), name, invitation }));
}

export async function signOut(): Promise<object | Refusal> {
  return connectAs(await postAccount("sign-out", {}));
}

/** Delete the account; this browser goes on as a new guest. */
export async function deleteAccount(proof: Proof): Promise<object | Refusal> {
  const answer = await postAccount("delete", proof);
  if (!isRefusal(answer)) forgetGuest();
  return connectAs(answer);
}

function connectAs<T extends object>(answer: T | Refusal): T | Refusal {
  if (!isRefusal(answer)) changePerson();
  return answer;
}
