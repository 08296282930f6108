/** Button that verifies the wall in the browser. */

import { useSignal } from "@preact/signals";
import { texts } from "../../../i18n/language";
import type { FullPosition } from "../position";
import { RULES_NUMBER } from "../rulesNumber";
import { verifyWall, type WallVerification } from "./verifyWall";

export function VerifyWallButton({ game, rules }: { game: FullPosition; rules: number | null }) {
  const text = texts.value.games.mahjong.table.verify;
  const found = useSignal<WallVerification | null>(null);
  const proof = found.value;
  const otherRules = rules !== null && rules !== RULES_NUMBER;
  const holds = proof !== null && proof.commitmentMatches && (otherRules || proof.wallMatches);
  return (
    <div class="mj-verify">
      <button class="small" onClick={() => (found.value = verifyWall(game))}>
        {text.check}
      </button>
      <p class={proof === null ? "soft" : holds ? "mj-good" : "mj-bad"} role="status">
        {proof === null
          ? text.why
          : !proof.commitmentMatches
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
