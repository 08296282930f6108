/** The way to the OpenID Connect provider of this server. */

import { isRefusal, postAccount, type Account, type Refusal } from "../accountApi";
import type { Proof } from "../passkeys";

/** Leave the page for the provider; it leads back to the account page. */
export async function goToProvider(aim: "sign_in" | "link" | "confirm", proof: Proof | object = {}): Promise<object | Refusal> {
  const answer = await postAccount<{ url: string }>("openid-start", { aim, ...proof });
  if (!isRefusal(answer)) location.assign(answer.url);
  return answer;
}

/** Whether the account belongs to somebody at the provider of this server. */
export function isLinked({ openid, identities }: Account): boolean {
  return openid !== null && identities.some(({ issuer }) => issuer === openid.issuer);
}
