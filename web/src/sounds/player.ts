/** Loads and plays sound files. */

import { partsOf } from "../games/gameRegistry";
import type { GameSounds } from "../games/gameInterface";
import { language, texts } from "../i18n/language";
import { LANGUAGES } from "../i18n/languages";
import { spokenCalls, type SoundKind } from "../settings/soundSettings";
import { audioOutput, type Tone } from "../table/tones";
import { gainOf } from "./loudness";
import { soundsWith, type Sound } from "./soundFiles";

/** Seconds after which the sound of a move is too late to be played. */
const TOO_LATE = 1;
/** Seconds until the first sound of a list starts. */
const LEAD = 0.01;

/** Sounds that stand for their kind. */
const EXAMPLES: readonly string[] = ["move", "lowTime", "turn", "won"] satisfies Tone[];

const buffers = new Map<string, Promise<AudioBuffer>>();

async function ownSounds(game: string): Promise<GameSounds> {
  try {
    return (await partsOf(game)?.sounds?.()) ?? {};
  } catch {
    // A game without its sounds can still be played.
    return {};
  }
}

/** Return all sounds that can be heard at a table of a game, the most important first; null: those of the page. */
export async function soundsOf(game: string | null) {
  return soundsWith(game === null ? {} : await ownSounds(game));
}

/** Play sounds one after the other; a name that neither the game nor the page has is left out. */
export async function playTones(tones: readonly string[], game: string | null = null): Promise<void> {
  const output = audioOutput();
  if (output === null) return;
  const asked = output.currentTime;
  const { hidden } = document;
  const sounds = await soundsOf(game);
  const wanted = tones.flatMap((tone) => sounds[tone] ?? []).filter((sound) => gainOf(sound, hidden) > 0);
  await play(output, wanted, asked, hidden);
  if (game === null) return;
  // The next move must be heard at once.
  const own = Object.values(await ownSounds(game));
  const next = own.length > 0 ? own : Object.values(sounds).filter(({ kind }) => kind === "moves");
  await Promise.allSettled(next.map(({ file }) => load(output, file)));
}

/** Play a sound of a kind, as an example of its volume; one of these games has it if the page does not. */
export async function playExample(kind: SoundKind, games: readonly string[]): Promise<void> {
  const output = audioOutput();
  if (output === null) return;
  const all = await Promise.all([null, ...games].map(soundsOf));
  const ofKind = all.flatMap((sounds) => Object.entries(sounds)).filter(([, sound]) => sound.kind === kind);
  const [, example] = ofKind.find(([tone]) => EXAMPLES.includes(tone)) ?? ofKind.at(-1) ?? [];
  if (example) await play(output, [example], output.currentTime, false);
}

async function play(output: AudioContext, sounds: readonly (GameSounds[string] & Sound)[], asked: number, hidden: boolean): Promise<void> {
  if (sounds.length === 0) return;
  void output.resume();
  const loaded = await Promise.all(sounds.map(({ file }) => load(output, file).catch(() => null)));
  const late = output.currentTime - asked > TOO_LATE;
  let at = output.currentTime + LEAD;
  sounds.forEach((sound, index) => {
    const buffer = loaded[index];
    if (!buffer || (late && !sound.inBackground)) return;
    const gain = output.createGain();
    gain.gain.value = gainOf(sound, hidden);
    gain.connect(output.destination);
    const source = output.createBufferSource();
    source.buffer = buffer;
    source.connect(gain);
    source.start(at);
    at += buffer.duration;
    if (sound.spoken && spokenCalls.value) speak(sound.spoken(texts.value), gain.gain.value);
  });
}

/** Return the decoded file; after a failure it is fetched again the next time. */
function load(output: AudioContext, file: string): Promise<AudioBuffer> {
  let buffer = buffers.get(file);
  if (buffer === undefined) {
    buffer = fetch(file)
      .then((answer) => (answer.ok ? answer.arrayBuffer() : Promise.reject(new Error(`no sound at ${file}`))))
      .then((data) => output.decodeAudioData(data));
    buffer.catch(() => buffers.delete(file));
    buffers.set(file, buffer);
  }
  return buffer;
}

/** Let the browser say a word in the language of the page. */
function speak(word: string, gain: number): void {
  if (typeof speechSynthesis === "undefined") return;
  const words = new SpeechSynthesisUtterance(word);
  words.lang = LANGUAGES[language.value].voice ?? language.value;
  words.volume = Math.sqrt(gain);
  words.rate = 1.2;
  // A call interrupts the one before.
  speechSynthesis.cancel();
  speechSynthesis.speak(words);
}
