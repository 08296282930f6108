/** A button that proves the wall in the reader's own browser. */

import { useSignal } from "@preact/signals";
import { text } from "../../i18n/mahjong/table";
import type { Full } from "./position";
import { prove, type Proof } from "./proof";

export function Proven({ game }: { game: Full }) {
  const said = text.value.proof;
  const found = useSignal<Proof | "busy" | null>(null);
  const check = async () => {
    found.value = "busy";
    found.value = await prove(game);
  };
  const proof = found.value;
  const holds = proof !== null && proof !== "busy" && proof.seal && proof.wall;
  return (
    <div class="mj-proof">
      <button class="small" disabled={proof === "busy"} onClick={() => void check()}>
        {proof === "busy" ? said.busy : said.check}
      </button>
      <p class={proof === null || proof === "busy" ? "soft" : holds ? "mj-good" : "mj-bad"} role="status">
        {proof === null || proof === "busy"
          ? said.why
          : !proof.seal
            ? said.badSeal
            : !proof.wall
              ? said.badWall
              : proof.known
                ? said.good
                : said.goodUnseen}
      </p>
      <details>
        <summary>{said.seed}</summary>
        <code>{game.seed}</code>
        <p>{said.seal}</p>
        <code>{game.commitment}</code>
      </details>
    </div>
  );
}
