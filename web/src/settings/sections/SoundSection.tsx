/** Settings of sounds: how loud each kind is, what is heard in the background. */

import { allGames } from "../../games/gameRegistry";
import { playExample } from "../../sounds/alerts";
import { setSoundOn, soundOn } from "../../table/tones";
import { Section } from "../controls/Section";
import { Segmented } from "../controls/Segmented";
import { Slider } from "../controls/Slider";
import { Toggle } from "../controls/Toggle";
import { BACKGROUND_SOUNDS, backgroundSounds, setBackgroundSounds, SOUND_KINDS, spokenCalls, volume, volumes, type SoundKind } from "../soundSettings";
import type { SectionProps } from ".";
import "./sound-section.css";

export function SoundSection({ text: { sounds: text } }: SectionProps) {
  const on = soundOn.value && volume.value > 0;
  const setVolume = (value: number) => {
    volume.value = value;
    if (!soundOn.value) setSoundOn(true);
  };
  return (
    <Section title={text.title}>
      <Slider label={text.volume} value={soundOn.value ? volume.value : 0} onInput={setVolume} onChange={() => playKind("moves")}>
        <svg class="sound-icon" viewBox="0 0 16 16" aria-hidden="true">
          <path class="sound-icon-filled" d="M2 6h2.5L8 3v10L4.5 10H2z" />
          <path d={on ? "M10.5 5.5a3.5 3.5 0 0 1 0 5M12.5 3.5a6.3 6.3 0 0 1 0 9" : "M10.5 6l4 4M14.5 6l-4 4"} />
        </svg>
      </Slider>
      <div class="sound-kinds">
        {SOUND_KINDS.map((kind) => (
          <Slider
            key={kind}
            label={text.kinds[kind]}
            value={volumes[kind].value}
            disabled={!on}
            onInput={(value) => (volumes[kind].value = value)}
            onChange={() => playKind(kind)}
          >
            <span class="sound-kind">{text.kinds[kind]}</span>
          </Slider>
        ))}
      </div>
      <Toggle label={text.spokenCalls.label} note={text.spokenCalls.note} on={spokenCalls.value} disabled={!on} onChange={speak} />
      <p class="sound-background">{text.background.label}</p>
      <Segmented
        label={text.background.label}
        value={backgroundSounds}
        options={BACKGROUND_SOUNDS.map((value) => ({ value, label: text.background.options[value] }))}
        onChange={setBackgroundSounds}
      />
    </Section>
  );
}

function speak(on: boolean): void {
  spokenCalls.value = on;
  if (on) playKind("calls");
}

function playKind(kind: SoundKind): void {
  void playExample(kind, allGames().map(([name]) => name));
}
