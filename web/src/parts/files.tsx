/** Keeps the record of a finished game as a file. */

import type { Room } from "../room";

interface FilesProps {
  room: Room;
  label: string;
  /** The end of the file's name. */
  ending: string;
  type: string;
  text: () => string;
}

export function Files({ room, label, ending, type, text }: FilesProps) {
  const save = () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text()], { type }));
    link.download = `${room.game}-${room.code}-${room.match}.${ending}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <button class="small moves-file" onClick={save}>
      {label}
    </button>
  );
}
