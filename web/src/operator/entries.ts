/** What entries of the log mean: who acted, what was done, and whether it can be undone. */

import type { OperatorTexts } from "../i18n/types/operator";
import { SANCTION_KINDS, type Act, type LogEntry, type Role, type SanctionKind } from "./operatorTypes";

/** Acts that nothing undoes: a closed table stays closed, and the code of a revoked invitation is not known any more. */
const FINAL: readonly Act[] = ["close_table", "revoke_invitation", "allow_token"];
/** Acts of operators, which moderators cannot undo either. */
const OF_OPERATORS: readonly Act[] = ["grant_role", "remove_role", "allow_token", "rename", "announce", "set_registrations", "invite", "revoke_invitation"];

/** Tell whether somebody with a role may undo an entry; the server decides. */
export function isUndoable(entry: LogEntry, role: Role): boolean {
  if (entry.undoes || entry.undone_by || FINAL.includes(entry.act)) return false;
  return role === "operator" || !(OF_OPERATORS.includes(entry.act) || isRange(entry.network) || entry.person?.role);
}

/** Tell whether a network is more than one client has: an IPv4 address, or an IPv6 /64. */
export function isRange(network: string): boolean {
  return network !== "" && !network.endsWith(network.includes(":") ? "/64" : "/32");
}

/** Return what was done, beside whom it concerned. */
export function entryText(entry: LogEntry, text: OperatorTexts): string {
  const [before, after] = [valueText(entry.act, entry.before, text), valueText(entry.act, entry.after, text)];
  const what = text.acts[entry.act] ?? entry.act;
  if (entry.act === "rename" || entry.act === "set_registrations") return text.log.changed(what, before, after);
  const value = after || before;
  return value ? text.log.withValue(what, value) : what;
}

/** Return a value of an entry as it is read. */
function valueText(act: Act, value: string, text: OperatorTexts): string {
  switch (act) {
    case "impose":
    case "lift":
    case "restore":
      return isKind(value) ? text.kinds[value] : value;
    case "announce":
      return announcementText(value);
    case "set_registrations":
      return text.registrations.modes[(value || "open") as keyof typeof text.registrations.modes] ?? value;
    case "grant_role":
    case "remove_role":
      return value === "operator" || value === "moderator" ? text.roles[value] : value;
    case "assign_report":
    case "invite":
      // The id of a person, or nothing that a reader needs.
      return "";
    default:
      return value;
  }
}

const isKind = (value: string): value is SanctionKind => (SANCTION_KINDS as readonly string[]).includes(value);

/** Return the text of an announcement as the log stores it. */
function announcementText(value: string): string {
  try {
    return value && String((JSON.parse(value) as { text?: unknown }).text ?? "");
  } catch {
    return value;
  }
}

/** Durations that a sanction can be chosen for, in hours; the last is for good. */
export const DURATIONS = [1, 24, 168, 720, 8760, 0] as const;

/** Return when a sanction ends; null for good. */
export function endOf(hours: number, now: number): number | null {
  return hours === 0 ? null : now + hours * 3_600_000;
}

/** Return the time of a field for a date with a time; null for an empty or wrong one. */
export function timeOf(field: string): number | null {
  const time = new Date(field).getTime();
  return field && !Number.isNaN(time) ? time : null;
}
