/** Type of the texts of the account page; they are loaded with it. */

import type { AccountError, RelationError } from "../../account/accountApi";

export interface AccountTexts {
  title: string;
  /** What an account is for. */
  why: string;
  name: string;
  nameNote: string;
  password: string;
  newPassword: string;
  passwordNote: string;
  showPassword: string;
  signIn: { title: string; button: string; forgotten: string };
  create: { title: string; note: string; button: string; closed: string; invitation: string; invitationNote: string };
  recover: { title: string; note: string; code: string; button: string; back: string };
  /** The page of a link that the operator has issued. */
  signInLink: { title: string; note: (name: string) => string; passkeyKept: string; button: string; passkey: string; toAccount: string };
  codes: {
    title: string;
    note: string;
    left: (count: number) => string;
    copy: string;
    copied: string;
    save: string;
    fileName: string;
    done: string;
    renew: string;
    renewNote: string;
  };
  since: (date: string) => string;
  changeName: { title: string; note: string; button: string; until: (date: string) => string };
  changePassword: { title: string; old: string; note: string; button: string; set: string; done: string };
  passkeys: {
    title: string;
    note: string;
    signIn: string;
    create: string;
    createNote: string;
    withPasskey: string;
    withPassword: string;
    /** Beside the password: it may be left empty. */
    orPasskey: string;
    add: string;
    made: (date: string) => string;
    remove: string;
    removeOf: (device: string) => string;
  };
  /** Signing in with the OpenID Connect provider of this server. */
  openid: {
    signIn: (provider: string) => string;
    link: (provider: string) => string;
    note: (provider: string) => string;
    linked: (date: string) => string;
    unlink: string;
    confirm: (provider: string) => string;
    confirmed: string;
    nowLinked: string;
    newcomer: { title: string; note: string; button: string };
  };
  devices: { title: string; here: string; lastUsed: (date: string) => string; signOut: string; signOutOf: (device: string) => string; signOutOthers: string };
  tokens: {
    title: string;
    note: string;
    name: string;
    nameNote: string;
    expiry: string;
    days: (count: number) => string;
    never: string;
    create: string;
    used: (date: string) => string;
    unused: string;
    expires: (date: string) => string;
    revoke: string;
    revokeOf: (name: string) => string;
    secret: string;
    secretNote: string;
    copy: string;
    copied: string;
    done: string;
  };
  bot: { title: string; note: string; button: string; confirm: string; is: string };
  deleteAccount: { title: string; download: string; note: string; button: string; confirm: string };
  /** Of the panel of those with a role, or with the code of a new server. */
  operator: { title: string; roles: Record<"operator" | "moderator", string>; open: string; code: string; codeNote: string; become: string };
  signOut: string;
  loading: string;
  /** Those about other players are among the texts of relations. */
  errors: Record<Exclude<AccountError, RelationError>, string>;
  /** Why a password is weak, by the English sentence of the server; others are shown as they are. */
  weak: Readonly<Record<string, string>>;
}
