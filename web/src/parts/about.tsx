/** The table itself: how to bring somebody, its house rules, and the sealed chance. */

import type { GameParts } from "../games/game";
import { houseOf } from "../house";
import { botCard, words } from "../i18n";
import { text } from "../i18n/room";
import { clockText } from "../listing";
import { broad } from "../media";
import type { Room } from "../room";
import { hush, isUp } from "../session";
import type { Seen } from "../store";
import { waitsFor } from "../turn";
import type { GameName } from "../wire";
import { Fair } from "./fair";
import { HandOver } from "./handover";
import { Invite, Share } from "./share";

export function About({ seen, parts }: { seen: Seen; parts: GameParts<GameName> | undefined }) {
  const { room, you } = seen;
  return (
    <div class="about">
      {!waitsFor(seen) ? <Share room={room} /> : broad.value && <Invite room={room} />}
      <section aria-labelledby="rules-title">
        <h2 id="rules-title">{text.value.rules.title}</h2>
        <ul class="rules">
          {rulesOf(room, parts).map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </section>
      {you !== null && <HandOver room={room.id} />}
      {you !== null && you === room.host && <Hush room={room} />}
      {parts?.hasChance(room.options) !== false && <Fair room={room} />}
    </div>
  );
}

/** The host closes the chat, or opens it again. */
function Hush({ room }: { room: Room }) {
  const { talk } = text.value;
  return (
    <div class="handover">
      <button class="small" disabled={!isUp.value} onClick={() => hush(room.id, !room.hushed)}>
        {room.hushed ? talk.open : talk.close}
      </button>
      {!room.hushed && <small class="soft">{talk.closedFor}</small>}
    </div>
  );
}

/** Return the rules of a table in plain words. */
function rulesOf(room: Room, parts: GameParts<GameName> | undefined): readonly string[] {
  const { rules } = text.value;
  const { listed, watchers, away, delay, takebacks, standin } = houseOf(room.table);
  const mayUndo = parts?.tools.includes("undo") === true;
  return [
    room.table.clock ? clockText(room.table.clock, words.value) : words.value.create.noClock,
    ...(mayUndo ? [takebacks ? rules.takebacks : rules.noTakebacks] : []),
    standin ? rules.standin(botCard(standin).name) : away > 0 ? rules.forfeits(away) : rules.waits,
    ...(watchers ? (delay > 0 ? [rules.delay(delay)] : []) : [rules.noWatchers]),
    ...(listed ? [] : [rules.unlisted]),
    ...(room.watching > 0 ? [rules.watching(room.watching)] : []),
  ];
}
