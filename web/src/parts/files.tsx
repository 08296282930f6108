/** What can be done with the record of a finished game: keep it, or step through it. */

import { words } from "../i18n";
import type { Room } from "../room";

interface FilesProps {
  room: Room;
  label: string;
  /** The end of the file's name. */
  ending: string;
  type: string;
  text: () => string;
  onReplay: (text: string) => void;
}

export function Files({ room, label, ending, type, text, onReplay }: FilesProps) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type }));
    link.download = `${room.game}-${room.code}-${room.match}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <>
      <button class="small moves-file" onClick={() => onReplay(text())}>
        {words.value.replay.title}
      </button>
      <button class="small" onClick={save}>
        {label}
      </button>
    </>
  );
}
