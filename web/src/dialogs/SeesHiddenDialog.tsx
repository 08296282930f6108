/** Dialog before the user sits down where other programs may receive hidden information. */

import { texts } from "../i18n/language";
import { joinAnyway } from "../net/commands";
import { isConnected, seesHiddenTable } from "../net/session";
import { Dialog } from "./Dialog";

export function SeesHiddenDialog() {
  const room = seesHiddenTable.value;
  if (room === null) return null;
  const { cancel, refusals, table, tableList } = texts.value;
  const close = () => (seesHiddenTable.value = null);
  const sit = () => {
    close();
    joinAnyway(room);
  };
  return (
    <Dialog title={tableList.seesHidden} onClose={close}>
      <p>{refusals.sees_hidden}</p>
      <div class="buttons">
        <button class="primary" disabled={!isConnected.value} onClick={sit}>
          {table.sitAnyway}
        </button>
        <button onClick={close}>{cancel}</button>
      </div>
    </Dialog>
  );
}
