/** A button that computes the chance of a finished game again, in the reader's own browser. */

import { useSignal } from "@preact/signals";
import { prove, type Proof } from "../fair";
import type { Account } from "../finished";
import { GAMES } from "../games/boards";
import { words } from "../i18n";

export function Chance({ account }: { account: Account }) {
  const { proof: said } = words.value.replay;
  const found = useSignal<Proof | "busy" | null>(null);
  const { redraw, around } = GAMES[account.game];
  const luck = account.match === 1 ? account.luck : [];
  const check = async () => {
    found.value = "busy";
    const positions = account.frames.map(({ position }) => position);
    found.value = await prove({ ...account, luck }, { options: account.options, positions }, await redraw?.());
  };
  const proof = found.value === "busy" ? null : found.value;
  const bad = proof !== null && (proof.holds === "badSeal" || proof.holds === "badDraw");
  return (
    <details class="fair proof">
      <summary>
        {words.value.fair.title} <code>{account.commitment.slice(0, 12)}…</code>
      </summary>
      <p class={proof === null ? "soft" : bad ? "proof-bad" : "proof-good"} role="status">
        {proof === null ? said.why : proof.holds === "good" ? said.good(proof.draws) : said[proof.holds]}
      </p>
      <button class="small" disabled={found.value === "busy"} onClick={() => void check()}>
        {found.value === "busy" ? said.busy : said.check}
      </button>
      {around && <p class="soft">{said.hands}</p>}
      <dl>
        <dt>{said.seal}</dt>
        <dd>
          <code>{account.commitment}</code>
        </dd>
        <dt>{said.seed}</dt>
        <dd>
          <code>{account.seed}</code>
        </dd>
        {luck.some(Boolean) && (
          <>
            <dt>{said.luck}</dt>
            <dd>
              <code>{luck.filter(Boolean).join(" ")}</code>
            </dd>
          </>
        )}
      </dl>
      <p class="soft">
        <code>{said.command} {account.room}</code>
      </p>
    </details>
  );
}
