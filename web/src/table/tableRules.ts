/** Table rules with every default filled in. */

import type { TableRulesView } from "../net/protocol";

export interface FullTableRules {
  listed: boolean;
  spectators: boolean;
  /** Seconds until a disconnected player forfeits; 0: never. */
  forfeitAfter: number;
  /** Delay for spectators in seconds. */
  spectatorDelay: number;
  undoAllowed: boolean;
  /** Whether programs that receive hidden information may take a seat. */
  seesHiddenAllowed: boolean;
  /** Bot that plays for a disconnected player; empty: none. */
  substituteBot: string;
}

export function tableRulesOf(table: TableRulesView): FullTableRules {
  const { public: listed = true, spectators = true, disconnect_timeout: forfeitAfter = 60, spectator_delay: spectatorDelay = 0, undo_allowed: undoAllowed = true, sees_hidden_allowed: seesHiddenAllowed = false, substitute_bot: substituteBot = "" } = table;
  return { listed, spectators, forfeitAfter, spectatorDelay, undoAllowed, seesHiddenAllowed, substituteBot };
}
