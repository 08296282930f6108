/** All games of the user: running tables, then finished games. */

import type { FunctionComponent } from "preact";
import { href } from "../../app/route";
import { texts } from "../../i18n/language";
import { lazyTexts } from "../../i18n/lazyTexts";
import type { ProfileTexts } from "../../i18n/types/profile";
import { state as session } from "../../net/session";
import { PersonGames } from "../../profile/PersonGames";
import "../../profile/styles/profile.css";
import { ContinueCard, openTables } from "./ContinueCards";
import { endedHere } from "./myGames";

/** Load the texts, and return the page. */
export async function loadPage(): Promise<FunctionComponent> {
  const profileTexts = await lazyTexts(import.meta.glob<ProfileTexts>("../../i18n/*/profile.ts", { import: "profile" }));
  return () => <MyGamesPage text={profileTexts.value} />;
}

function MyGamesPage({ text }: { text: ProfileTexts }) {
  const { myGames } = texts.value;
  const { tables } = session.value;
  const open = openTables().filter((id) => tables[id]?.room.phase !== "over");
  return (
    <section class="finished-games" aria-labelledby="my-games-title">
      <h1 id="my-games-title">{myGames.title}</h1>
      {open.length > 0 && (
        <>
          <h2>{myGames.running}</h2>
          <div class="continue">
            {open.map((id) => (
              <ContinueCard key={id} id={id} />
            ))}
          </div>
        </>
      )}
      <PersonGames
        text={text}
        name=""
        own
        title={myGames.finished}
        none={myGames.none}
        wayOn={
          <a class="button primary person-games-play" href={href({ at: "lobby" })}>
            {texts.value.play}
          </a>
        }
        ended={endedHere.value}
      />
    </section>
  );
}
