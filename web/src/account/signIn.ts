/** Changes of who this browser is: the page connects again, so that its tables belong to that person. */

import { changePerson, guestToken } from "../net/session";
import { isRefusal, postAccount, type Refusal, type SignedIn } from "./accountApi";

export async function register(name: string, password: string): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("register", { token: guestToken(), name, password }));
}

export async function signIn(name: string, password: string): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("sign-in", { name, password }));
}

export async function recover(name: string, code: string, password: string): Promise<SignedIn | Refusal> {
  return connectAs(await postAccount<SignedIn>("recover", { name, code, password }));
}

export async function signOut(): Promise<object | Refusal> {
  return connectAs(await postAccount("sign-out", {}));
}

function connectAs<T extends object>(answer: T | Refusal): T | Refusal {
  if (!isRefusal(answer)) changePerson();
  return answer;
}
