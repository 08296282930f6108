/** Type of the texts of the page of operators; they are loaded with it. */

import type { Act, Registrations, Role, SanctionKind } from "../../operator/operatorTypes";

/** Why an act was refused, or why nothing was found. */
export type OperatorError =
  | "not_allowed"
  | "no_such_person"
  | "no_such_sanction"
  | "no_such_report"
  | "no_such_invitation"
  | "no_such_entry"
  | "no_such_table"
  | "no_reason"
  | "bad_network"
  | "bad_end"
  | "bad_name"
  | "name_taken"
  | "own_address"
  | "yourself"
  | "last_operator"
  | "nothing_to_change"
  | "cannot_be_undone"
  | "already_undone"
  | "rate_limited"
  | "malformed"
  | "not_found"
  | "unavailable"
  | "unreachable";

export interface OperatorTexts {
  title: string;
  views: Record<"reports" | "people" | "sanctions" | "tables" | "server" | "health" | "log", string>;
  roles: Record<Role, string>;
  loading: string;
  failed: string;
  retry: string;
  more: string;
  none: string;
  cancel: string;
  done: string;
  back: string;
  any: string;
  errors: Record<OperatorError, string>;
  /** Of the field with why something is done. */
  reason: string;
  reasonNote: string;
  reasonOptional: string;
  forGood: string;
  until: (time: string) => string;
  kinds: Record<SanctionKind, string>;
  acts: Record<Act, string>;
  person: Record<"guest" | "account" | "online" | "unknown" | "server", string>;
  reports: {
    open: (count: number) => string;
    state: string;
    states: Record<"open" | "done", string>;
    kind: string;
    kinds: Record<"report" | "appeal", string>;
    assigned: string;
    mine: string;
    nobody: string;
    none: string;
    choose: string;
    /** Title of a report or an appeal. */
    title: (kind: string, number: number) => string;
    by: (name: string) => string;
    about: (name: string) => string;
    wholeTable: string;
    line: string;
    chat: string;
    noChat: string;
    spectators: string;
    seats: string;
    computer: string;
    table: string;
    replay: string;
    tableClosed: string;
    assignedTo: (name: string) => string;
    take: string;
    release: string;
    note: string;
    noteLabel: string;
    close: string;
    reopen: string;
    appealed: string;
    done: string;
  };
  people: {
    label: string;
    hint: string;
    search: string;
    none: string;
    knownAs: (names: string) => string;
    since: (date: string) => string;
    id: string;
    connections: string;
    noConnections: string;
    sameAddress: string;
    tables: string;
    sanctions: string;
    noSanctions: string;
    reportsAbout: string;
    reportsBy: string;
    log: string;
    wholeLog: string;
    profile: string;
    rename: string;
    newName: string;
    role: string;
    noRole: string;
    setRole: string;
  };
  sanctions: {
    impose: string;
    imposeOn: (name: string) => string;
    kind: string;
    kindNotes: Record<SanctionKind, string>;
    target: string;
    targetAccount: string;
    targetNetwork: string;
    account: string;
    network: string;
    networkNote: string;
    rangeWarning: string;
    duration: string;
    /** Names of durations in hours; 0 is for good. */
    durations: Record<1 | 24 | 168 | 720 | 8760 | 0, string>;
    otherEnd: string;
    end: string;
    withAddresses: string;
    withAddressesNote: string;
    confirm: Record<SanctionKind, string>;
    lift: string;
    inForceOnly: string;
    inForce: string;
    lifted: (time: string) => string;
    ended: (time: string) => string;
    addresses: string;
    none: string;
  };
  tables: {
    label: string;
    hint: string;
    show: string;
    title: (code: string) => string;
    opened: (time: string) => string;
    public: string;
    private: string;
    rated: string;
    phases: Readonly<Record<string, string>>;
    away: string;
    spectators: (count: number) => string;
    close: string;
    closeNote: string;
    chat: string;
  };
  announcement: {
    title: string;
    note: string;
    label: string;
    now: string;
    none: string;
    end: string;
    endNote: string;
    show: string;
    remove: string;
    removeNote: string;
  };
  registrations: { title: string; modes: Record<Registrations, string>; change: string };
  invitations: {
    title: string;
    note: string;
    make: string;
    for: string;
    uses: string;
    end: string;
    code: (code: string) => string;
    codeNote: string;
    copy: string;
    copied: string;
    used: (used: number, uses: number) => string;
    revoke: string;
    revoked: string;
    ended: string;
    none: string;
  };
  roleList: { title: string; note: string; give: string; account: string; role: string; remove: string };
  health: {
    note: string;
    connections: string;
    sockets: (open: number, limit: number) => string;
    people: string;
    peopleAll: (count: number) => string;
    tables: string;
    moves: string;
    movesTotal: (count: string) => string;
    refused: string;
    bots: string;
    botQueue: (quick: number, slow: number) => string;
    store: string;
    archive: string;
    up: string;
    down: string;
    notConfigured: string;
    waiting: (count: number) => string;
    commitFailures: (count: number) => string;
    errors: string;
    errorsNote: string;
    setAside: string;
    workers: string;
    version: string;
    perSecond: (count: string) => string;
    counting: string;
    lag: string;
    lagNote: string;
    milliseconds: (count: string) => string;
    damaged: string;
    incidents: string;
    bundle: string;
    bundleNote: string;
  };
  engine: {
    title: string;
    compare: string;
    computing: string;
    notComparable: string;
    notArchived: string;
    player: string;
    agreement: string;
    loss: string;
    time: string;
    share: (percent: string, agreed: string, compared: string) => string;
    seconds: (count: string) => string;
    note: (engine: string, nodes: string) => string;
  };
  log: {
    note: string;
    act: string;
    by: string;
    export: string;
    about: (name: string) => string;
    withValue: (what: string, value: string) => string;
    changed: (what: string, before: string, after: string) => string;
    undo: string;
    undoTitle: (number: number) => string;
    undone: (number: number) => string;
    undoes: (number: number) => string;
    command: (user: string) => string;
    token: string;
    report: (number: number) => string;
    table: string;
    all: string;
    none: string;
  };
}
