/** The lobby: your tables, ways to play, the table list, the featured game, your last games. */

import { texts } from "../i18n/language";
import { Greeting } from "./Greeting";
import { chosenGame } from "./chosenGame";
import { TableList } from "./TableList";
import { Hero } from "./hero/Hero";
import { OtherGames } from "./hero/OtherGames";
import { ContinueCards } from "./mine/ContinueCards";
import { LastGames } from "./mine/LastGames";
import { FeaturedTable } from "./rail/FeaturedTable";
import { state } from "../net/session";
import { FollowingPanel } from "../relations/lazyRelations";

export function LobbyPage() {
  const card = chosenGame();
  return (
    <div class="lobby">
      <Greeting />
      <ContinueCards />
      <div class="lobby-main">
        {card && <Hero key={card.name} card={card} />}
        <OtherGames />
        <TableList />
      </div>
      <aside class="lobby-rail" aria-label={texts.value.featured.title}>
        <FeaturedTable />
        <LastGames />
        {state.value.account && <FollowingPanel />}
      </aside>
    </div>
  );
}
