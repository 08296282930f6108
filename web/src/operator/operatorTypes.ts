/** What the server sends to operators and moderators. */

import type { Millis, RoomId, Seat } from "../net/protocol";

export type Role = "moderator" | "operator";
export const SANCTION_KINDS = ["warning", "mute", "unrated", "ban"] as const;
export type SanctionKind = (typeof SANCTION_KINDS)[number];
export const REGISTRATIONS = ["open", "invited", "closed"] as const;
export type Registrations = (typeof REGISTRATIONS)[number];
export const ACTS = [
  "impose",
  "lift",
  "restore",
  "rename",
  "close_table",
  "grant_role",
  "remove_role",
  "allow_token",
  "announce",
  "set_registrations",
  "invite",
  "revoke_invitation",
  "assign_report",
  "note_report",
  "close_report",
  "reopen_report",
] as const;
export type Act = (typeof ACTS)[number];

/** A person with the present name; `role` is empty for most. */
export interface PersonRef {
  person: string;
  name: string;
  account: boolean;
  role: Role | "";
}

/** A sanction of a person or of a network. `ends`: null for good. */
export interface Sanction {
  id: number;
  kind: SanctionKind;
  person: PersonRef | null;
  network: string;
  reason: string;
  made: Millis;
  ends: Millis | null;
  lifted: Millis | null;
  in_force: boolean;
  with_addresses: boolean;
}

/** An act in the log; `before` and `after` are what it changed. */
export interface LogEntry {
  number: number;
  at: Millis;
  by: PersonRef | null;
  user: string;
  via: "page" | "token" | "command";
  act: Act;
  reason: string;
  person: PersonRef | null;
  network: string;
  room: RoomId;
  report: number | null;
  sanction: number | null;
  invitation: number | null;
  before: string;
  after: string;
  undoes: number | null;
  undone_by: number | null;
}

export interface ReportedLine {
  at: Millis;
  name: string;
  text: string;
  seat?: Seat | null;
  spectators_only?: boolean;
}

export interface ReportRow {
  id: number;
  kind: "report" | "appeal";
  state: "open" | "done";
  at: Millis;
  by: PersonRef | null;
  about: PersonRef | null;
  text: string;
  room: RoomId;
  game: string;
  match: number;
  seat: Seat | null;
  line: ReportedLine | null;
  sanction: number | null;
  assigned: PersonRef | null;
  note: string;
  closed: Millis | null;
}

export interface SeatRow extends Partial<PersonRef> {
  seat: Seat;
  bot: string;
  name: string;
}

/** An open table with everything that was said there. */
export interface OpenTable {
  room: RoomId;
  code: string;
  game: string;
  phase: string;
  title: string;
  public: boolean;
  rated: boolean;
  opened: Millis;
  seats: readonly (SeatRow & { connected: boolean })[];
  spectators: readonly { person: string | null; name: string }[];
  spectator_count: number;
  chat: readonly ReportedLine[];
}

/** A report with the table as it was, and as it is if it is still open. */
export interface Report extends ReportRow {
  seats: readonly SeatRow[];
  chat: readonly ReportedLine[];
  table: { link: string; replay: string | null; open: OpenTable | null } | null;
  appealed: Sanction | null;
  log: readonly LogEntry[];
}

export interface FoundPerson extends PersonRef {
  names: readonly string[];
  online: boolean;
  sanctions: readonly Sanction[];
}

export interface PersonDetails extends PersonRef {
  created: Millis | null;
  names: readonly string[];
  online: boolean;
  connections: readonly { address: string; client: string; rooms: readonly RoomId[] }[];
  same_address: readonly (PersonRef | null)[];
  tables: readonly RoomId[];
  sanctions: readonly Sanction[];
  reports_about: readonly ReportRow[];
  reports_by: readonly ReportRow[];
  log: readonly LogEntry[];
}

/** Who asks, and the settings of the server. */
export interface Overview extends PersonRef {
  role: Role;
  registrations: Registrations;
  announcement: { text: string; ends: Millis | null } | null;
  open_reports: number;
  sanctions_in_force: number;
}

export interface Invitation {
  id: number;
  note: string;
  made: Millis;
  ends: Millis | null;
  uses: number;
  used: number;
  revoked: Millis | null;
}

/** A chess game beside an engine. Losses are in centipawns. */
export interface Comparison {
  engine: string;
  nodes: number;
  depth: number;
  sides: readonly { seat: Seat; moves: number; compared: number; agreed: number; agreement: number; average_loss: number; average_millis: number; median_millis: number }[];
}

export interface Health {
  version: string;
  workers: number;
  connections: number;
  sockets: number;
  sockets_limit: number;
  persons: number;
  persons_of_all_workers: number;
  tables: readonly { phase: string; count: number }[];
  moves: number;
  /** Null before there are two samples. */
  moves_per_second: number | null;
  /** How late the event loop is in 99 of 100 cases, in milliseconds. */
  lag_p99_ms: number | null;
  refused: number;
  bot_moves_waiting: { quick: number; slow: number };
  store: { up: boolean; commit_failures: number };
  archive: { configured: boolean; up: boolean; damaged: boolean; tables_waiting: number };
  tables_set_aside: readonly { room: RoomId; reason: string }[];
  errors: number;
  incidents: readonly { incident: string; at: Millis; event: string; kind: string; place: string }[];
}
