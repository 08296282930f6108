/** Button that verifies the wall in the browser. */

import { useSignal } from "@preact/signals";
import { texts } from "../../../i18n/language";
import type { FullPosition } from "../position";
import { verifyWall, type WallVerification } from "./verifyWall";

export function VerifyWallButton({ game }: { game: FullPosition }) {
  const text = texts.value.games.mahjong.table.verify;
  const found = useSignal<WallVerification | "busy" | null>(null);
  const check = async () => {
    found.value = "busy";
    found.value = await verifyWall(game);
  };
  const proof = found.value;
  const holds = proof !== null && proof !== "busy" && proof.commitmentMatches && proof.wallMatches;
  return (
    <div class="mj-verify">
      <button class="small" disabled={proof === "busy"} onClick={() => void check()}>
        {proof === "busy" ? text.busy : text.check}
      </button>
      <p class={proof === null || proof === "busy" ? "soft" : holds ? "mj-good" : "mj-bad"} role="status">
        {proof === null || proof === "busy"
          ? text.why
          : !proof.commitmentMatches
            ? text.seedDiffers
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
