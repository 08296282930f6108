/** The settings that games offer, each with its own title. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { GameSetting } from "../../games/gameInterface";
import { allGames } from "../../games/gameRegistry";
import { ErrorBoundary } from "../../games/outsideGameErrors";
import { texts } from "../../i18n/language";
import { Section } from "../controls/Section";
import { Swatches } from "../controls/Swatches";
import { Toggle } from "../controls/Toggle";

/** Settings of games whose folders are in the page. */
const OWN = import.meta.glob<() => Promise<readonly GameSetting[]>>("../../games/*/settings/index.tsx", { import: "loadSettings" });

/** The settings of each game that were loaded. */
const loaded = signal<ReadonlyMap<string, readonly GameSetting[]>>(new Map());

/** Return what loads the settings of each game, by name. */
function offeredSettings(): readonly (readonly [game: string, load: () => Promise<readonly GameSetting[]>])[] {
  return allGames().flatMap(([name, { settings }]) => {
    const own = OWN[`../../games/${name}/settings/index.tsx`];
    const load = own ? () => own().then((loadOwn) => loadOwn()) : settings;
    return load ? [[name, load] as const] : [];
  });
}

export function GameSections() {
  const games = offeredSettings();
  const names = games.map(([name]) => name).join();
  useEffect(() => {
    for (const [name, load] of games) {
      if (loaded.peek().has(name)) continue;
      load().then(
        (some) => (loaded.value = new Map([...loaded.peek(), [name, some]])),
        // The others are still offered.
        (error: unknown) => console.warn(`The settings of ${name} could not be loaded:`, error),
      );
    }
  }, [names]);
  return (
    <>
      {games.map(([name]) => (
        <ErrorBoundary key={name} onError={(error) => console.warn(`The settings of ${name} have an error:`, error)}>
          <GameSettings settings={loaded.value.get(name) ?? []} />
        </ErrorBoundary>
      ))}
    </>
  );
}

function GameSettings({ settings }: { settings: readonly GameSetting[] }) {
  return (
    <>
      {settings.map((setting, number) => {
        const title = setting.title(texts.value);
        if (!("options" in setting)) {
          return <Toggle key={number} label={title} note={setting.note?.(texts.value)} on={setting.isOn()} onChange={setting.change} />;
        }
        const options = setting.options.map(({ name, ...option }) => ({ ...option, label: name(texts.value) }));
        return (
          <Section key={number} title={title}>
            <Swatches label={title} value={setting.value} options={options} />
          </Section>
        );
      })}
    </>
  );
}
