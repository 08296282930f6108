/** The published types of the board kit agree with the page; the compiler checks it. */

import { expect, it, vi } from "vitest";
import type * as published from "qipai/board-kit";
import type * as page from "../../src/games/gameInterface";
import type { Games } from "../../src/net/protocol";

vi.hoisted(() => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  Object.assign(globalThis, { localStorage: storage, sessionStorage: storage });
});

type Gomoku = Games["gomoku"];

/** The page accepts what the types allow, and gives what they promise. */
export const asPage = (game: published.GameParts<Gomoku>): page.GameParts<"gomoku"> => game;
export const asPublished = (scene: page.Scene<"gomoku">): published.Scene<Gomoku> => scene;

it("exports exactly what the types say", async () => {
  const kit = await import("../../src/boardKit");
  const declared: typeof published = kit;
  const names: Record<keyof typeof published, true> = {
    BoardGrid: true,
    DownloadButton: true,
    MoveButton: true,
    MoveList: true,
    StoneBadge: true,
    choice: true,
    earlierStatus: true,
    fillText: true,
    playOrDraft: true,
    setting: true,
    showMove: true,
    shownMove: true,
    texts: true,
    useTapConfirmation: true,
  };
  expect(Object.keys(declared).sort()).toEqual(Object.keys(names).sort());
});
