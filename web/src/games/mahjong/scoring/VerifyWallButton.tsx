/** Verification of the wall in the browser: a button, and what it found. */

import { texts } from "../../../i18n/language";
import type { FullPosition } from "../position";
import { RULES_NUMBER } from "../rulesNumber";
import type { WallVerification } from "./verifyWall";

export function VerifyWallButton({ open, onVerify }: { open: boolean; onVerify: () => void }) {
  const text = texts.value.games.mahjong.table.verify;
  return (
    <button class="quiet mj-foot-link" title={text.why} aria-expanded={open} onClick={onVerify}>
      {text.check}
    </button>
  );
}

export function WallVerdict({ game, rules, proof }: { game: FullPosition; rules: number | null; proof: WallVerification }) {
  const text = texts.value.games.mahjong.table.verify;
  const otherRules = rules !== null && rules !== RULES_NUMBER;
  const holds = proof.commitmentMatches && (otherRules || proof.wallMatches);
  return (
    <div class="mj-verify" ref={(box) => box?.scrollIntoView({ block: "nearest" })}>
      <p class={holds ? "mj-good" : "mj-bad"} role="status">
        {!proof.commitmentMatches
          ? text.seedDiffers
          : otherRules
            ? texts.value.replay.verify.otherRules
            : !proof.wallMatches
              ? text.wallDiffers
              : proof.commitmentSeen
                ? text.good
                : text.goodUnseen}
      </p>
      <details>
        <summary>{text.details}</summary>
        <p>{text.seed}</p>
        <code>{game.seed}</code>
        <p>{text.commitment}</p>
        <code>{game.commitment}</code>
      </details>
    </div>
  );
}
