/** Downloads the record of a finished game. */

import type { Room } from "../net/roomReducer";

interface DownloadProps {
  room: Pick<Room, "game" | "code" | "match">;
  label: string;
  /** Extension of the file name. */
  extension: string;
  type: string;
  /** The record; what writes it may be loaded first. */
  text: () => string | Promise<string>;
}

export function DownloadButton({ room, label, extension, type, text }: DownloadProps) {
  const save = async () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([await text()], { type }));
    link.download = `${room.game}-${room.code}-${room.match}.${extension}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  };
  return (
    <button class="small moves-file" onClick={() => void save()}>
      {label}
    </button>
  );
}
