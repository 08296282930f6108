/** Portrait of a player: a small landscape that follows from the name. */

import type { ComponentChildren } from "preact";
import "./avatar.css";

const INK = "#fbf3e4";
const GROUNDS = ["#a8322a", "#2f6d8f", "#5b4a86", "#b5651d", "#1c6653", "#8a3b5c", "#3f5a36", "#24476b"] as const;

/** Return a number from a text, the same in every browser (FNV-1a). */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const sign of text) hash = Math.imul(hash ^ sign.codePointAt(0)!, 0x01000193);
  // The low bits alone change too little between names that differ in one letter.
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (hash ^ (hash >>> 13)) >>> 0;
}

/** Return which ground, motif and direction a name has. Numbered bots of a table, such as "Casual 2", have different grounds and motifs. */
export function avatarOf(name: string): { ground: string; motif: number; mirrored: boolean } {
  const [, base = name, number = "0"] = /^(.+) ([1-9])$/.exec(name) ?? [];
  const hash = hashOf(base.normalize("NFC"));
  return {
    ground: GROUNDS[(hash + 3 * Number(number)) % GROUNDS.length]!,
    motif: (Math.floor(hash / 8) + Number(number)) % MOTIFS.length,
    mirrored: Math.floor(hash / 128) % 2 === 1,
  };
}

/** It shows nothing that the name beside it does not say. */
export function Avatar({ name, children }: { name: string; children?: ComponentChildren }) {
  const { ground, motif, mirrored } = avatarOf(name);
  return (
    <span class="avatar">
      <svg viewBox="0 0 40 40" aria-hidden="true">
        <rect width="40" height="40" fill={ground} />
        <g transform={mirrored ? "translate(40) scale(-1 1)" : undefined}>{MOTIFS[motif]!(ground)}</g>
      </svg>
      {children}
    </span>
  );
}

const MOTIFS: readonly ((ground: string) => ComponentChildren)[] = [
  // A crane.
  () => <path d="M6 24Q15 15 21 20Q27 9 37 10Q29 15 27 22Q33 23 36 28Q25 26 20 31Q13 33 9 29Q15 28 16 25Q11 23 6 24Z" fill={INK} />,
  // A plum blossom.
  (ground) => (
    <g transform="translate(20 20)">
      {[0, 72, 144, 216, 288].map((turn) => (
        <path key={turn} d="M0 0C-8-5-6-15 0-14C6-15 8-5 0 0Z" fill={INK} transform={`rotate(${turn})`} />
      ))}
      <circle r="3.6" fill={ground} />
    </g>
  ),
  // The sun over waves.
  (ground) => (
    <>
      <circle cx="27" cy="12" r="6" fill={INK} />
      {[[11, 29], [29, 29], [2, 37], [20, 37], [38, 37]].map(([x, y]) => (
        <g key={`${x}/${y}`} stroke={INK} stroke-width="1.7" fill={ground}>
          <circle cx={x} cy={y} r="9" />
          <circle cx={x} cy={y} r="5.6" />
          <circle cx={x} cy={y} r="2.2" fill={INK} />
        </g>
      ))}
    </>
  ),
  // The moon over mountains.
  (ground) => (
    <>
      <circle cx="25" cy="14" r="8" fill={INK} />
      <circle cx="29" cy="11.5" r="7" fill={ground} />
      <path d="M-2 36L11 20L18 28L25 22L42 38V42H-2Z" fill={INK} />
      <path d="M4 40L12 31L18 36L26 30L38 42Z" fill={ground} opacity="0.55" />
    </>
  ),
  // Bamboo.
  () => (
    <>
      <path d="M14 42V27M14 25V12M14 10V-2M25 42V32M25 30V17M25 15V4" stroke={INK} stroke-width="3.6" stroke-linecap="round" />
      <path d="M15 17Q24 13 31 18Q22 21 15 17ZM13 12Q6 7 2 10Q7 15 13 12ZM26 24Q34 21 39 26Q31 29 26 24ZM24 9Q18 3 13 4Q17 10 24 9Z" fill={INK} />
    </>
  ),
  // A boat on a lake.
  () => (
    <>
      <circle cx="12" cy="11" r="4.6" fill={INK} />
      <path d="M22 6V25M22 7Q33 14 31 23H22ZM20 12Q14 17 13 23H20ZM8 26H34Q31 33 26 33H16Q11 33 8 26Z" fill={INK} stroke={INK} />
      <path d="M2 37Q8 34 14 37T26 37T38 37" fill="none" stroke={INK} stroke-width="1.8" stroke-linecap="round" />
    </>
  ),
  // A pagoda.
  () => (
    <path
      d="M20 3V8M10 14Q18 12 20 7Q22 12 30 14ZM14 14H26V19H14ZM7 24Q16 22 18 19H22Q24 22 33 24ZM12 24H28V29H12ZM4 34Q14 32 16 29H24Q26 32 36 34ZM10 34H30V40H10Z"
      fill={INK}
      stroke={INK}
      stroke-width="0.8"
    />
  ),
  // A koi.
  (ground) => (
    <>
      <path d="M30 10Q38 19 29 28Q22 34 13 29Q9 33 4 32Q8 28 8 25Q5 22 5 17Q10 18 13 22Q18 12 30 10Z" fill={INK} />
      <circle cx="28" cy="17" r="1.6" fill={ground} />
      <path d="M22 14Q26 19 23 26M17 18Q20 22 18 28" fill="none" stroke={ground} stroke-width="1.5" />
    </>
  ),
];
