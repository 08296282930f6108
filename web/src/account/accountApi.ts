/** Requests about accounts. The session is a cookie that scripts cannot read. */

import type { Millis } from "../net/protocol";
import type { ChallengesFrom, Related } from "../relations/relationsApi";

/** Why a request was refused; `unreachable` if no answer came, `passkey_cancelled` if the browser gave none. */
export type AccountError =
  | "bad_name"
  | "banned"
  | "name_taken"
  | "renamed_recently"
  | "password_short"
  | "password_long"
  | "password_weak"
  | "sign_in_failed"
  | "already_registered"
  | "passkey_failed"
  | "passkey_taken"
  | "passkey_cancelled"
  | "too_many_passkeys"
  | "no_such_passkey"
  | "last_way"
  | "bad_link"
  | "openid_failed"
  | "openid_cancelled"
  | "openid_unavailable"
  | "openid_taken"
  | "openid_not_linked"
  | "not_signed_in"
  | "no_such_device"
  | "registrations_closed"
  | "invitation_needed"
  | "code_failed"
  | "bad_api_token"
  | "no_api_tokens"
  | "too_many_api_tokens"
  | "no_such_api_token"
  | "bad_token_name"
  | "has_played"
  | RelationError
  | "rate_limited"
  | "busy"
  | "unavailable"
  | "unreachable";

/** Why a request about another player was refused. */
export type RelationError = "no_such_player" | "follow_refused" | "blocked_by_you" | "too_many_players";

export interface Refusal {
  error: AccountError;
  /** Why a password is weak, when a name may be changed again, or what a provider calls a newcomer. */
  about?: string;
}

export interface Device {
  id: string;
  device: string;
  created: Millis;
  used: Millis;
  /** Whether it is this device. */
  this: boolean;
}

export interface PasskeyRow {
  id: string;
  /** Where it was made. */
  device: string;
  created: Millis;
  used: Millis;
}

export interface ApiTokenRow {
  id: string;
  name: string;
  created: Millis;
  /** Null before the first use. */
  used: Millis | null;
  /** Null for a token that does not expire. */
  expires: Millis | null;
}

export interface CreatedApiToken {
  /** Shown only once. */
  secret: string;
  token: ApiTokenRow;
}

export interface Account {
  name: string;
  created: Millis;
  renamed: Millis | null;
  recovery_codes_left: number;
  has_password: boolean;
  passkeys: readonly PasskeyRow[];
  devices: readonly Device[];
  /** To whom at which providers the account belongs. */
  identities: readonly { issuer: string; linked: Millis }[];
  /** The provider of this server; `confirmed`: the person has just signed in there, which proves who they are. */
  openid: { provider: string; issuer: string; confirmed: boolean } | null;
  /** Empty for most. */
  role: "operator" | "moderator" | "";
  /** Whether the code that the server logged at its start makes this account the first operator. */
  operator_code: boolean;
  /** Whether only programs play for it. */
  bot: boolean;
  api_tokens: readonly ApiTokenRow[];
  followed: readonly Related[];
  blocked: readonly Related[];
  invisible: boolean;
  challenges_from: ChallengesFrom;
}

/** Who may create an account. */
export type Registrations = "open" | "invited" | "closed";

export interface SignedIn {
  name: string;
  recovery_codes: readonly string[];
}

const PATH = "/api/account";

/** Return the account of this browser. */
export const fetchAccount = (ask = fetch): Promise<Account | Refusal> => request<Account>(ask, PATH);

/** Return what people call the provider of this server; empty without one. */
export async function fetchProvider(ask = fetch): Promise<string> {
  const answer = await request<{ provider: string }>(ask, `${PATH}/openid`);
  return isRefusal(answer) ? "" : answer.provider;
}

/** Return who may create an account; everybody if that is not known, as the server decides. */
export async function fetchRegistrations(ask = fetch): Promise<Registrations> {
  const answer = await request<{ registrations: Registrations }>(ask, "/api/registrations");
  return isRefusal(answer) ? "open" : answer.registrations;
}

/** Do something with an account, such as `sign-in`. */
export const postAccount = <T = object>(action: string, body: object, ask = fetch): Promise<T | Refusal> =>
  request<T>(ask, `${PATH}/${action}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

export function isRefusal(answer: object): answer is Refusal {
  return "error" in answer;
}

async function request<T>(ask: typeof fetch, path: string, options: RequestInit = {}): Promise<T | Refusal> {
  try {
    const answer = await ask(path, { ...options, cache: "no-store", credentials: "same-origin" });
    return (await answer.json()) as T | Refusal;
  } catch {
    return { error: "unreachable" };
  }
}
