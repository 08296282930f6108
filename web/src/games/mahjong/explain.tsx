/** Counts any hand: put it together, ask, and see every tai. */

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { words } from "../../i18n";
import { text } from "../../i18n/mahjong/table";
import { Dialog } from "../../parts/dialog";
import { Faces } from "./faces";
import { added, count, NOTHING, sizeOf, usedOf, type Answer, type Flag, type Form, type Question } from "./question";
import { Patterns } from "./result";
import { Kind } from "./tile";
import { EAST, FLOWER, KINDS } from "./tiles";
import "./tiles.css";
import "./explain.css";

const FORMS: readonly (Form | null)[] = [null, "chow", "pong", "kong", "ckong"];
const FLAGS: readonly Flag[] = ["rob", "kong_bloom", "last", "heaven", "earth", "human"];

interface ExplainProps {
  start?: Question;
  onClose: () => void;
}

export function Explain({ start = NOTHING, onClose }: ExplainProps) {
  const said = text.value.explain;
  const { mahjong, close } = words.value;
  const question = useSignal(start);
  const form = useSignal<Form | null>(null);
  const answer = useSignal<Answer | "busy" | "not" | "failed" | null>(null);
  const told = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (answer.value !== null && answer.value !== "busy") told.current?.scrollIntoView({ block: "center" });
  }, [answer.value]);
  const now = question.value;
  const { have, need } = sizeOf(now);
  const change = (some: Partial<Question>) => {
    question.value = { ...now, ...some };
    answer.value = null;
  };
  const ask = async (event: SubmitEvent) => {
    event.preventDefault();
    answer.value = "busy";
    try {
      answer.value = (await count(now)) ?? "not";
    } catch {
      answer.value = "failed";
    }
  };
  const without = <T,>(list: readonly T[], place: number) => list.filter((_, number) => number !== place);
  const found = answer.value;
  return (
    <Dialog title={said.title} onClose={onClose}>
      <Faces />
      <form class="mj-explain" onSubmit={(event) => void ask(event)}>
        <h2>{said.title}</h2>
        <p class="soft">{said.hint}</p>
        <div class="options" role="group" aria-label={said.kind}>
          {([13, 16] as const).map((variant) => (
            <label class="option" key={variant}>
              <input type="radio" name="variant" checked={now.variant === variant} onChange={() => change({ variant })} />
              <span>{variant === 13 ? mahjong.settings.thirteen : mahjong.settings.sixteen}</span>
            </label>
          ))}
        </div>
        <fieldset class="mj-built">
          <legend>{said.handTiles(now.hand.length)}</legend>
          <div class="mj-line">
            {now.hand.map((kind, place) => (
              <Pick
                key={place}
                kind={kind}
                label={`${said.remove(mahjong.tiles[kind] ?? "")}${place === now.hand.length - 1 ? ` (${said.win})` : ""}`}
                won={place === now.hand.length - 1 && have === need}
                onClick={() => change({ hand: without(now.hand, place) })}
              />
            ))}
          </div>
          {now.melds.length > 0 && (
            <div class="mj-line">
              {now.melds.map(({ form: made, kinds }, place) => (
                <button
                  key={place}
                  type="button"
                  class="mj-pick-set"
                  aria-label={said.remove(`${said.forms[made]} ${mahjong.tiles[kinds[0]!] ?? ""}`)}
                  onClick={() => change({ melds: without(now.melds, place) })}
                >
                  {kinds.map((kind, number) => (
                    <Kind key={number} kind={kind} />
                  ))}
                </button>
              ))}
            </div>
          )}
          {now.flowers.length > 0 && (
            <div class="mj-line">
              {now.flowers.map((kind, place) => (
                <Pick
                  key={kind}
                  kind={kind}
                  label={said.remove(mahjong.tiles[kind] ?? "")}
                  onClick={() => change({ flowers: without(now.flowers, place) })}
                />
              ))}
            </div>
          )}
        </fieldset>
        <div class="mj-picker">
          <label class="field-line">
            <span>{said.as}</span>
            <select value={form.value ?? ""} onChange={(event) => (form.value = (event.currentTarget.value || null) as Form | null)}>
              {FORMS.map((one) => (
                <option key={one} value={one ?? ""}>
                  {one === null ? said.toHand : said.forms[one]}
                </option>
              ))}
            </select>
          </label>
          {[[0, 9], [9, 18], [18, EAST], [EAST, FLOWER], [FLOWER, KINDS]].map(([from, to]) => (
            <div class="mj-line" key={from}>
              {Array.from({ length: to! - from! }, (_, place) => from! + place).map((kind) => (
                <Pick
                  key={kind}
                  kind={kind}
                  label={said.add(mahjong.tiles[kind] ?? "")}
                  off={usedOf(now, kind) >= (kind < FLOWER ? 4 : 1)}
                  onClick={() => change(added(now, kind, form.value))}
                />
              ))}
            </div>
          ))}
        </div>
        <div class="fields">
          {(["roundWind", "seatWind"] as const).map((which) => (
            <label class="field" key={which}>
              <span>{said[which]}</span>
              <select value={now[which]} onChange={(event) => change({ [which]: Number(event.currentTarget.value) })}>
                {mahjong.winds.map((wind, number) => (
                  <option key={wind} value={number}>
                    {wind}
                  </option>
                ))}
              </select>
            </label>
          ))}
        </div>
        <fieldset class="mj-flags">
          <legend class="hidden">{said.flags}</legend>
          <Check label={said.selfDraw} on={now.selfDraw} onChange={(selfDraw) => change({ selfDraw })} />
          <Check label={said.isDealer} on={now.dealer} onChange={(dealer) => change({ dealer })} />
          {FLAGS.map((flag) => (
            <Check
              key={flag}
              label={said.flag[flag]}
              on={now.flags.includes(flag)}
              onChange={(on) => change({ flags: on ? [...now.flags, flag] : now.flags.filter((one) => one !== flag) })}
            />
          ))}
        </fieldset>
        <div role="status" ref={told}>
          {have !== need && have > 0 && <p class="soft">{said.incomplete(have, need)}</p>}
          {found === "not" && <p>{said.notAWin}</p>}
          {found === "failed" && <p>{said.failed}</p>}
          {found !== null && typeof found === "object" && (
            <Patterns patterns={Object.entries(found.patterns).map(([name, tai]) => ({ name, tai }))} total={found.total} />
          )}
        </div>
        <div class="buttons">
          <button type="button" onClick={onClose}>
            {close}
          </button>
          <button type="button" onClick={() => change(NOTHING)}>
            {said.clear}
          </button>
          <button class="primary" disabled={have !== need || found === "busy"}>
            {said.count}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

interface PickProps {
  kind: number;
  label: string;
  won?: boolean;
  off?: boolean;
  onClick: () => void;
}

function Pick({ kind, label, won = false, off = false, onClick }: PickProps) {
  return (
    <button type="button" class={`mj-pick ${won ? "mj-pick-won" : ""}`} aria-label={label} disabled={off} onClick={onClick}>
      <Kind kind={kind} />
    </button>
  );
}

function Check({ label, on, onChange }: { label: string; on: boolean; onChange: (on: boolean) => void }) {
  return (
    <label class="choice">
      <input type="checkbox" checked={on} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>{label}</span>
    </label>
  );
}
