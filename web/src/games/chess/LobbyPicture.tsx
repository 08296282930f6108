/** Picture of chess for the lobby. */

import "./lobby-picture.css";

const KNIGHT =
  "M21 49.5c-.8-8.5 7-12 8.2-19.2-2.6.6-4.3 3.7-8 3.9-3.6.2-6.2-2.3-5.7-5.6.4-2.7 3.7-6 5.2-10.3.8-2.3.6-4.8 1-8.3 2.3.9 4.3 2.4 5.5 4C40 14.5 48 24 48 37.5c0 4.5-.6 8.5-1.6 12zM16 52h32v4H16z";
const PAWN = "M32 14a7 7 0 0 1 4 12.700c4 2 5.5 5 5.5 7.500h-5l4 13h4v6h-25v-6h4l4-13h-5c0-2.5 1.5-5.5 5.5-7.500A7 7 0 0 1 32 14z";
const ROOK = "M18 13h7v4.500h4V13h6v4.500h4V13h7v11l-5 5 2 20.500h3v6.500H18v-6.500h3L23 29l-5-5z";

export function LobbyPicture() {
  return (
    <svg class="lobby-picture lobby-picture-chess" viewBox="0 0 240 96" preserveAspectRatio="xMidYMid slice" aria-hidden="true">
      <path class="lobby-picture-light" d="M0 0h240v96H0z" />
      <path class="lobby-picture-dark" d="M48 0h48v48H48zM144 0h48v48h-48zM0 48h48v48H0zM96 48h48v48H96zM192 48h48v48h-48z" />
      <path class="lobby-picture-piece-white" transform="translate(0 48) scale(.75)" d={ROOK} />
      <path class="lobby-picture-piece-white" transform="translate(48 48) scale(.75)" d={PAWN} />
      <path class="lobby-picture-piece-black" transform="translate(96 0) scale(.75)" d={KNIGHT} />
      <path class="lobby-picture-piece-white" transform="translate(96 48) scale(.75)" d={PAWN} />
      <path class="lobby-picture-piece-black" transform="translate(192 0) scale(.75)" d={ROOK} />
      <path class="lobby-picture-piece-black" transform="translate(144 0) scale(.75)" d={PAWN} />
    </svg>
  );
}
