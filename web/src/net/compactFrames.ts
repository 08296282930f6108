/** Reads the frames of a replay in the compact form; docs/protocol/native.md describes it. */

import type { AnyPosition, Frame } from "./protocol";

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

/** How a value changed. */
export type Patch =
  | readonly [0, Json]
  | readonly [1, Readonly<Record<string, Patch>>, (readonly string[])?]
  | readonly [2, readonly (readonly [number, Patch])[]]
  | readonly [3, number, number, readonly Json[]];

/** The frames of a match: a list for each field, with an item for each frame. */
export type CompactFrames = { readonly [Field in Exclude<keyof Frame, "position">]: readonly Frame[Field][] } & { readonly patch: readonly (Patch | null)[] };

/** Return the frames; unchanged parts of a position are shared with the one before. */
export function readFrames(compact: CompactFrames): readonly Frame[] {
  let [version, at, position]: [number, number, Json] = [0, 0, null];
  return compact.patch.map((patch, index) => {
    version += compact.version[index]!;
    at += compact.at[index]!;
    if (patch !== null) position = applyPatch(position, patch);
    const clock = compact.clock[index]!;
    return {
      version,
      at,
      actor: compact.actor[index]!,
      events: compact.events[index]!,
      position: position as unknown as AnyPosition,
      to_act: compact.to_act[index]!,
      clock: clock && { ...clock, at: clock.at + at, since: clock.since.map((began) => (began === null ? null : began + at)) },
    };
  });
}

/** Return the value that a patch makes of another one, which is not changed. */
export function applyPatch(old: Json, patch: Patch): Json {
  switch (patch[0]) {
    case 0:
      return patch[1];
    case 1: {
      const members = old as { readonly [key: string]: Json };
      const [, changes, keys = Object.keys(members)] = patch;
      return Object.fromEntries(keys.map((key) => [key, Object.hasOwn(changes, key) ? applyPatch(members[key] ?? null, changes[key]!) : members[key]!]));
    }
    case 2: {
      const items = [...(old as readonly Json[])];
      for (const [index, change] of patch[1]) items[index] = applyPatch(items[index]!, change);
      return items;
    }
    case 3: {
      const items = old as readonly Json[];
      const [, start, end, added] = patch;
      return [...items.slice(0, start), ...added, ...items.slice(items.length - end)];
    }
  }
}
