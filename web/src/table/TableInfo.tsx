/** Information on the table: invite, table rules, commitment. */

import type { GameParts } from "../games/gameInterface";
import { hasLessons } from "../games/gameRegistry";
import { tableRulesOf } from "./tableRules";
import { botTexts, texts } from "../i18n/language";
import { clockText } from "../lobby/tableSummary";
import { isWideWindow } from "../common/windowSize";
import type { Room } from "../net/roomReducer";
import { setPhrasesOnly } from "../net/commands";
import { isConnected } from "../net/session";
import type { TableState } from "../net/store";
import { isWaitingForPlayers } from "./turn";
import type { GameName } from "../net/protocol";
import { Commitment } from "../fairness/Commitment";
import { SeatTransferDialog } from "../dialogs/SeatTransferDialog";
import { openLesson } from "../learn/openLesson";
import { InvitePanel, ShareLink } from "./InvitePanel";

export function TableInfo({ seen, parts }: { seen: TableState; parts: GameParts<GameName> | undefined }) {
  const { room, you } = seen;
  return (
    <div class="about">
      {!isWaitingForPlayers(seen) ? <ShareLink room={room} /> : isWideWindow.value && <InvitePanel room={room} withComputer={parts?.statusOnBoard === true} />}
      <section aria-labelledby="rules-title">
        <div class="buttons">
          <h2 id="rules-title">{texts.value.tableInfo.title}</h2>
          {hasLessons(room.game) && <HowToPlay room={room} />}
        </div>
        <ul class="rules">
          {ruleTexts(room, parts).map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </section>
      {you !== null && !room.table.rated && <SeatTransferDialog room={room.id} />}
      {you !== null && you === room.host && <PhrasesOnlySwitch room={room} />}
      {parts?.usesRandomness(room.options) !== false && <Commitment room={room} />}
    </div>
  );
}

/** Opens the lessons of this table's game. */
function HowToPlay({ room: { id: room, game, options } }: { room: Room }) {
  return (
    <button class="small" onClick={() => (openLesson.value = { room, game, options })}>
      {texts.value.howToPlay}
    </button>
  );
}

/** The host restricts the chat to phrases, or lifts that. */
function PhrasesOnlySwitch({ room }: { room: Room }) {
  const { chatActions } = texts.value;
  return (
    <div class="seat-transfer">
      <button class="small" disabled={!isConnected.value} onClick={() => setPhrasesOnly(room.id, !room.phrases_only)}>
        {room.phrases_only ? chatActions.open : chatActions.close}
      </button>
      {!room.phrases_only && <small class="soft">{chatActions.closedFor}</small>}
    </div>
  );
}

/** Return the table rules as texts. */
function ruleTexts(room: Room, parts: GameParts<GameName> | undefined): readonly string[] {
  const { tableInfo } = texts.value;
  const { listed, spectators, forfeitAfter, spectatorDelay, undoAllowed, seesHiddenAllowed, substituteBot } = tableRulesOf(room.table);
  const mayUndo = parts?.offerKinds.includes("undo") === true;
  const tags = parts?.tags?.(room.options, texts.value, true) ?? [];
  return [
    ...(room.table.rated ? [tableInfo.rated] : []),
    ...(tags.length > 0 ? [tags.join(" · ")] : []),
    room.table.clock ? clockText(room.table.clock, texts.value) : texts.value.createTable.noClock,
    ...(mayUndo ? [undoAllowed ? tableInfo.undoAllowed : tableInfo.noUndo] : []),
    substituteBot ? tableInfo.substitute(botTexts(room.game, substituteBot).name) : forfeitAfter > 0 ? tableInfo.forfeits(forfeitAfter) : tableInfo.waits,
    ...(spectators ? (spectatorDelay > 0 ? [tableInfo.delay(spectatorDelay)] : []) : [tableInfo.noSpectators]),
    ...(seesHiddenAllowed && parts?.hidesInformation?.(room.options) ? [tableInfo.seesHidden] : []),
    ...(listed ? [] : [tableInfo.unlisted]),
    ...(room.spectators > 0 ? [tableInfo.spectators(room.spectators)] : []),
  ];
}
