/** The lessons of a table's game, in a dialog over the table: the table stays connected. */

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Dialog } from "../dialogs/Dialog";
import { gameName, texts } from "../i18n/language";
import { state } from "../net/session";
import { isYourTurn } from "../table/turn";
import { Lesson } from "./lesson/Lesson";
import { useLessons } from "./loadLessons";
import { openLesson, type OpenLesson } from "./openLesson";
import { PageChips } from "./lesson/PageChips";
import "./styles/overview.css";
import "./styles/lesson.css";
import "./styles/narrow.css";

export function LearnDialog({ room, game, options }: OpenLesson) {
  const found = useLessons([game]);
  const chosen = useSignal("");
  useEffect(() => () => void (openLesson.value = null), []);
  const close = () => (openLesson.value = null);
  const table = state.value.tables[room];
  const loaded = found?.games.get(game);
  const page = chosen.value || loaded?.lessons.pageFor(options as never);
  return (
    <Dialog title={found?.learn.dialog(gameName(game)) ?? gameName(game)} onClose={close}>
      <div class="learn learn-dialog">
        <div class="learn-dialog-head">
          <h1>{gameName(game)}</h1>
          {found && loaded && page && <PageChips loaded={loaded} page={page} learn={found.learn} onPage={(next) => (chosen.value = next)} />}
          <button class="quiet" onClick={close}>
            {texts.value.close}
          </button>
        </div>
        {found && table && isYourTurn(table) && (
          <p class="learn-turn" role="status">
            {found.learn.turnAtTable}
            <button class="small" onClick={close}>
              {found.learn.backToTable}
            </button>
          </p>
        )}
        {found && loaded && page ? (
          <Lesson key={page} game={game} page={page} loaded={loaded} learn={found.learn} onPage={(next) => (chosen.value = next)} atTable />
        ) : (
          <p class="soft message-loading">{texts.value.replay.loading}</p>
        )}
      </div>
    </Dialog>
  );
}
