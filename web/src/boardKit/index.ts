/** The board kit: what boards share. Games from outside import it as `qipai/board-kit`. */

export { BoardGrid } from "./BoardGrid";
export { fillText } from "./fillText";
export { earlierStatus, showMove, shownMove } from "./moveNavigation";
export { StoneBadge } from "./StoneBadge";
export { playOrDraft, useTapConfirmation } from "./tapConfirmation";
export { texts } from "../i18n/language";
export { DownloadButton } from "../replay/DownloadButton";
export { MoveButton, MoveList } from "../replay/MoveList";
export { choice, setting } from "../settings/setting";
