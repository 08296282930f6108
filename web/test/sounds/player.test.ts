/** Which files are played, how loud, and what is loaded. */

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

interface Played {
  file: string;
  gain: number;
  at: number;
}

const played: Played[] = [];
const fetched: string[] = [];
const spoken: [word: string, lang: string][] = [];
const page = { hidden: false, documentElement: {} };
const broken = new Set<string>();

class FakeAudioContext {
  currentTime = 0;
  destination = {};
  resume = async () => undefined;
  decodeAudioData = async (data: { file: string }) => ({ ...data, duration: 0.25 });
  createGain = () => ({ gain: { value: 1 }, connect: () => undefined });
  createBufferSource = () => {
    let gain: { gain: { value: number } };
    const source = {
      buffer: { file: "" },
      connect: (to: typeof gain) => (gain = to),
      start: (at: number) => played.push({ file: nameOf(source.buffer.file), gain: gain.gain.value, at }),
    };
    return source;
  };
}

/** Return the name of a file without its folder and its hash. */
const nameOf = (file: string) => /(\w+)\.wav/.exec(file)![1]!;

vi.hoisted(() => {
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined };
  const window = new EventTarget();
  Object.assign(globalThis, {
    localStorage: storage,
    sessionStorage: storage,
    addEventListener: window.addEventListener.bind(window),
    removeEventListener: window.removeEventListener.bind(window),
    dispatchEvent: window.dispatchEvent.bind(window),
  });
});
vi.stubGlobal("AudioContext", FakeAudioContext);
vi.stubGlobal("fetch", async (file: string) => {
  fetched.push(nameOf(file));
  return { ok: !broken.has(nameOf(file)), arrayBuffer: async () => ({ file }) };
});
vi.stubGlobal("SpeechSynthesisUtterance", class { lang = ""; constructor(readonly text: string) {} });
vi.stubGlobal("speechSynthesis", { cancel: () => undefined, speak: (words: { text: string; lang: string }) => spoken.push([words.text, words.lang]) });

const { enableAudioOnGesture, soundOn, audioOutput } = await import("../../src/table/tones");
const { playExample, playTones } = await import("../../src/sounds/player");
const { setBackgroundSounds, SOUND_KINDS, spokenCalls, volume, volumes } = await import("../../src/settings/soundSettings");
const { setLanguage } = await import("../../src/i18n/language");
const { outsideGames } = await import("../../src/games/outsideGames");
vi.stubGlobal("document", page);

beforeEach(() => {
  volume.value = 100;
  for (const list of [played, fetched, spoken]) list.length = 0;
});

afterEach(async () => {
  page.hidden = false;
  soundOn.value = true;
  setBackgroundSounds("turn");
  spokenCalls.value = false;
  broken.clear();
  for (const kind of SOUND_KINDS) volumes[kind].value = 100;
  await setLanguage("en");
});

const files = () => played.map(({ file }) => file);

it("is silent before the first gesture", async () => {
  await playTones(["move"]);
  expect([audioOutput(), fetched]).toEqual([null, []]);
  enableAudioOnGesture();
  globalThis.dispatchEvent(new Event("keydown"));
  await playTones(["move"]);
  expect(files()).toEqual(["move"]);
});

describe("a sound", () => {
  it("comes from the folder of the game, or from the page", async () => {
    await playTones(["move"], "gomoku");
    await playTones(["move"], "mahjong");
    await playTones(["move"], "tictactoe");
    await playTones(["move"], "chess");
    await playTones(["dice"], "gomoku");
    expect(files()).toEqual(["stone", "tile", "mark", "move", "dice"]);
  });

  it("is left out if nobody knows it; the others follow one another", async () => {
    await playTones(["fanfare", "move", "won"], "chess");
    expect(played.map(({ file, at }) => [file, at])).toEqual([["move", 0.01], ["won", 0.26]]);
  });

  it("is fetched once with those of the next moves, and again after a failure", async () => {
    broken.add("lowTime");
    await playTones(["lowTime"]);
    expect([files(), fetched]).toEqual([[], ["lowTime"]]);
    broken.clear();
    await playTones(["lowTime"]);
    await playTones(["lowTime"]);
    expect([files(), fetched]).toEqual([["lowTime", "lowTime"], ["lowTime", "lowTime"]]);
  });

  it("is silent if the switch in the header is off", async () => {
    soundOn.value = false;
    await playTones(["move"]);
    expect(played).toEqual([]);
  });

  it("is as loud as its kind", async () => {
    volume.value = 50;
    volumes.endings.value = 50;
    volumes.moves.value = 0;
    await playTones(["move", "won", "turn"]);
    expect(played.map(({ file, gain }) => [file, gain])).toEqual([["won", 0.0625], ["turn", 0.25]]);
  });

  it("of a move is not played late; the turn is", async () => {
    const output = audioOutput() as unknown as FakeAudioContext;
    const decode = output.decodeAudioData;
    output.decodeAudioData = async (data) => {
      output.currentTime += 5;
      return decode(data);
    };
    await playTones(["seat", "check"]);
    output.decodeAudioData = decode;
    expect(files()).toEqual(["seat"]);
  });
});

describe("in a hidden tab", () => {
  const all = ["move", "won", "lowTime", "turn", "seat", "chat"];

  it.each([
    ["turn", ["lowTime", "turn", "seat"]],
    ["all", all],
    ["none", []],
  ] as const)("with the setting %s, %j are heard", async (setting, heard) => {
    page.hidden = true;
    setBackgroundSounds(setting);
    await playTones(all);
    expect(files()).toEqual(heard);
  });
});

describe("a call", () => {
  it("is spoken in the language of the page if the user wants that", async () => {
    await playTones(["pong"], "mahjong");
    expect(spoken).toEqual([]);
    spokenCalls.value = true;
    await playTones(["pong"], "mahjong");
    await setLanguage("zh-Hant");
    await playTones(["win"], "mahjong");
    await playTones(["move"], "mahjong");
    expect(spoken).toEqual([["Pong", "en"], ["胡", "zh-TW"]]);
    expect(files()).toEqual(["pong", "pong", "win", "tile"]);
  });
});

describe("a game from outside", () => {
  const install = (sounds?: unknown) => (outsideGames.value = new Map([["go", { game: { sounds }, reduce: () => ({}) } as never]]));

  it("may have its own sounds", async () => {
    install(async () => ({ move: { file: "/games/go/1/slate.wav" }, ko: { file: "/games/go/1/ko.wav", kind: "calls" } }));
    volumes.calls.value = 50;
    await playTones(["ko", "move", "capture"], "go");
    expect(played.map(({ file, gain }) => [file, gain])).toEqual([["ko", 0.25], ["slate", 1], ["capture", 1]]);
  });

  it.each([["none", undefined], ["broken ones", async () => Promise.reject(new Error("404"))], ["nothing", async () => undefined]])(
    "works with %s: the page has its own",
    async (_, sounds) => {
      install(sounds);
      await playTones(["move"], "go");
      expect(files()).toEqual(["move"]);
    },
  );
});

it("plays an example of every kind", async () => {
  for (const kind of SOUND_KINDS) await playExample(kind, ["chess", "mahjong"]);
  expect(files()).toEqual(["move", "chow", "lowTime", "turn", "won"]);
});
