/** Button that verifies the randomness of a finished game in the browser. */

import { useSignal } from "@preact/signals";
import { addedEntropy, verifyReplay, type Verification } from "./verify";
import type { GameParts } from "../games/gameInterface";
import type { GameName, Replay } from "../net/protocol";
import { texts } from "../i18n/language";

export function VerifyButton({ replay, parts }: { replay: Replay; parts: GameParts<GameName> }) {
  const text = texts.value.replay.verify;
  const found = useSignal<Verification | "busy" | null>(null);
  const { drawVerification, playersOnBoard } = parts;
  const playerEntropy = addedEntropy(replay);
  const check = async () => {
    found.value = "busy";
    found.value = await verifyReplay(replay, drawVerification);
  };
  const proof = found.value === "busy" ? null : found.value;
  const bad = proof !== null && (proof.result === "seedDiffers" || proof.result === "drawsDiffer");
  return (
    <details class="commitment verify">
      <summary>
        {texts.value.fairness.title} <code>{replay.commitment.slice(0, 12)}…</code>
      </summary>
      <p class={proof === null ? "soft" : bad ? "verify-failed" : "verify-passed"} role="status">
        {proof === null ? text.why : proof.result === "good" ? text.good(proof.draws) : text[proof.result]}
      </p>
      <button class="small" disabled={found.value === "busy"} onClick={() => void check()}>
        {found.value === "busy" ? text.busy : text.check}
      </button>
      {playersOnBoard && <p class="soft">{text.hands}</p>}
      <dl>
        <dt>{text.commitment}</dt>
        <dd>
          <code>{replay.commitment}</code>
        </dd>
        <dt>{text.seed}</dt>
        <dd>
          <code>{replay.seed}</code>
        </dd>
        {playerEntropy.some(Boolean) && (
          <>
            <dt>{text.playerEntropy}</dt>
            <dd>
              <code>{playerEntropy.filter(Boolean).join(" ")}</code>
            </dd>
          </>
        )}
      </dl>
      <p class="soft">
        <code>{text.command} {replay.room}</code>
      </p>
    </details>
  );
}
