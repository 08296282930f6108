/** SVG symbol of each kind of tile. */

import { FLOWERS, HONOURS, NUMBERS, WAN } from "./glyphs";
import { DRAGON, EAST, FLOWER, KINDS } from "./tiles";

type Ink = "red" | "green" | "blue" | "ink";
/** A circle or a stick: its centre, colour, and slant. */
type Spot = readonly [x: number, y: number, ink: Ink, slant?: number];

interface SpotLayout {
  /** Radius of a circle, or half the length of a stick. */
  size: number;
  spots: readonly Spot[];
}

const grid = (columns: readonly number[], rows: readonly number[], ink: (row: number, column: number) => Ink): Spot[] =>
  rows.flatMap((y, row) => columns.map((x, column): Spot => [x, y, ink(row, column)]));

/** From two; the one has its own image. */
const DOTS: readonly SpotLayout[] = [
  { size: 13.5, spots: [[30, 22, "green"], [30, 58, "blue"]] },
  { size: 10.5, spots: [[15, 17, "blue"], [30, 40, "red"], [45, 63, "green"]] },
  { size: 11.5, spots: grid([17, 43], [21, 59], (row, column) => (row === column ? "blue" : "green")) },
  { size: 9.8, spots: [...grid([15, 45], [18, 62], (row, column) => (row === column ? "blue" : "green")), [30, 40, "red"]] },
  { size: 9.8, spots: grid([19, 41], [15, 42, 65], (row) => (row ? "red" : "green")) },
  {
    size: 8.4,
    spots: [[13, 13, "green"], [30, 20, "green"], [47, 27, "green"], ...grid([19, 41], [48, 68], () => "red" as const)],
  },
  { size: 8.4, spots: grid([20, 40], [12, 31, 49, 68], () => "blue") },
  { size: 8.2, spots: grid([12, 30, 48], [15, 40, 65], (row) => (["green", "red", "blue"] as const)[row]!) },
];

const BAMBOOS: readonly SpotLayout[] = [
  { size: 15, spots: [[30, 22, "green"], [30, 58, "blue"]] },
  { size: 15, spots: [[30, 22, "green"], [17, 58, "blue"], [43, 58, "blue"]] },
  { size: 15, spots: grid([17, 43], [22, 58], (row, column) => (row === column ? "green" : "blue")) },
  { size: 14, spots: [...grid([14, 46], [22, 58], () => "green" as const), [30, 40, "red"]] },
  { size: 15, spots: grid([13, 30, 47], [22, 58], (row) => (row ? "blue" : "green")) },
  {
    size: 10.5,
    spots: [[30, 14, "red"], ...grid([13, 30, 47], [41, 66], (_, column) => (column === 1 ? "blue" : "green") as Ink)],
  },
  {
    size: 14,
    spots: [
      [9, 22, "green"], [51, 22, "green"], [9, 58, "blue"], [51, 58, "blue"],
      [22.5, 24, "green", 28], [37.5, 24, "green", -28], [22.5, 56, "blue", -28], [37.5, 56, "blue", 28],
    ],
  },
  { size: 10.5, spots: grid([12, 30, 48], [15, 40, 65], (_, column) => (column === 1 ? "red" : "green")) },
];

/** SVG symbols of all tiles, once per page. */
export function TileFaces() {
  return (
    <svg class="mj-faces" aria-hidden="true">
      {Array.from({ length: KINDS }, (_, kind) => (
        <symbol key={kind} id={`mj-${kind}`} viewBox="0 0 60 80">
          <TileFace kind={kind} />
        </symbol>
      ))}
    </svg>
  );
}

export function TileFace({ kind }: { kind: number }) {
  if (kind < 9) {
    return (
      <>
        <Glyph strokes={NUMBERS[kind]!} ink="ink" x={11} y={3} size={38} bold={9.5} />
        <Glyph strokes={WAN} ink="red" x={11} y={41} size={38} bold={8.5} />
      </>
    );
  }
  if (kind < EAST) {
    const [value, Spots] = [(kind % 9) - 1, kind < 18 ? Circle : Stick];
    if (value < 0) return kind < 18 ? <OneDot /> : <OneBamboo />;
    const { size, spots } = (kind < 18 ? DOTS : BAMBOOS)[value]!;
    return spots.map(([x, y, ink, slant], number) => <Spots key={number} x={x} y={y} size={size} ink={ink} slant={slant ?? 0} />);
  }
  if (kind === FLOWER - 1) return <White />;
  if (kind < FLOWER) {
    const ink: Ink = kind < DRAGON ? "ink" : kind === DRAGON ? "red" : "green";
    return <Glyph strokes={HONOURS[kind - EAST]!} ink={ink} x={5} y={15} size={50} bold={kind === DRAGON + 1 ? 7 : 8.5} />;
  }
  return <FlowerFace number={kind - FLOWER} />;
}

interface GlyphProps {
  strokes: string;
  ink: Ink;
  x: number;
  y: number;
  size: number;
  bold: number;
}

function Glyph({ strokes, ink, x, y, size, bold }: GlyphProps) {
  const transform = `translate(${x} ${y}) scale(${size / 100})`;
  return <path class={`mj-stroke mj-${ink}`} d={strokes} stroke-width={bold} transform={transform} />;
}

interface SpotProps {
  x: number;
  y: number;
  size: number;
  ink: Ink;
  slant: number;
}

function Circle({ x, y, size, ink }: SpotProps) {
  return (
    <g class={`mj-${ink}`}>
      <circle class="mj-fill" cx={x} cy={y} r={size} />
      <circle class="mj-ivory" cx={x} cy={y} r={size * 0.7} />
      <circle class="mj-fill" cx={x} cy={y} r={size * 0.45} />
      <circle class="mj-ivory" cx={x} cy={y} r={size * 0.16} />
    </g>
  );
}

/** Half the width of a stick, at its joints and between them. */
const WIDE = 5.2;
const WAIST = 1.8;

function joint(from: number, to: number): string {
  const middle = (from + to) / 2;
  const down = `M${-WIDE} ${from}Q0 ${from - 2.6} ${WIDE} ${from}Q${WAIST} ${middle} ${WIDE} ${to}`;
  return `${down}Q0 ${to + 2.6} ${-WIDE} ${to}Q${-WAIST} ${middle} ${-WIDE} ${from}Z`;
}

/** Two joints of bamboo. */
function Stick({ x, y, size, ink, slant }: SpotProps) {
  return (
    <g class={`mj-${ink}`} transform={`translate(${x} ${y}) rotate(${slant})`}>
      <path class="mj-fill" d={joint(1.5 - size, -0.9) + joint(0.9, size - 1.5)} />
      <path class="mj-shine" d={`M0 ${3.5 - size}V-3.4M0 3.4V${size - 3.5}`} />
    </g>
  );
}

function OneDot() {
  const petals = Array.from({ length: 12 }, (_, number) => number * 30);
  return (
    <>
      <circle class="mj-green mj-fill" cx="30" cy="40" r="25" />
      <circle class="mj-ivory" cx="30" cy="40" r="21.5" />
      <g class="mj-green" transform="translate(30 40)">
        {petals.map((turn) => (
          <circle key={turn} class="mj-fill" cx="0" cy="-16.2" r="3.3" transform={`rotate(${turn})`} />
        ))}
      </g>
      <circle class="mj-red mj-fill" cx="30" cy="40" r="11" />
      <circle class="mj-ivory" cx="30" cy="40" r="7.8" />
      <circle class="mj-red mj-fill" cx="30" cy="40" r="5" />
    </>
  );
}

/** A bird, as on most sets. */
function OneBamboo() {
  return (
    <>
      <path class="mj-green mj-fill" d="M36 30C48 34 53 48 44 60C38 67 28 68 22 62C30 62 36 56 35 47C34 41 32 38 30 35Z" />
      <path class="mj-blue mj-fill" d="M20 61C12 66 8 70 7 76C15 75 23 71 28 66Z" />
      <path class="mj-red mj-fill" d="M25 63C20 69 18 74 19 78C26 75 31 71 34 66Z" />
      <path class="mj-green mj-fill" d="M17 60C10 60 5 63 2 67C10 69 17 68 23 65Z" />
      <circle class="mj-green mj-fill" cx="31" cy="25" r="9.5" />
      <path class="mj-red mj-fill" d="M22 22L10 27L22 30ZM28 16Q24 8 27 3Q31 8 31 15ZM34 16Q36 8 42 6Q42 12 37 18Z" />
      <circle class="mj-ivory" cx="29" cy="23.5" r="3.2" />
      <circle class="mj-ink mj-fill" cx="28.4" cy="23.5" r="1.6" />
      <path class="mj-shine" d="M40 40Q46 48 40 57M36 46Q40 51 36 58" />
      <path class="mj-stroke mj-red" stroke-width="2.4" d="M37 66V74M43 62V73M33 75H40M40 74H47" />
    </>
  );
}

/** 白: an empty frame. */
function White() {
  return (
    <g class="mj-blue">
      <rect class="mj-frame" x="10" y="12" width="40" height="56" rx="3" stroke-width="4.5" />
      <rect class="mj-frame" x="16.5" y="18.5" width="27" height="43" rx="1.5" stroke-width="1.6" />
    </g>
  );
}

function FlowerFace({ number }: { number: number }) {
  const season = number > 3;
  const petals = [0, 72, 144, 216, 288];
  return (
    <>
      <Glyph strokes={FLOWERS[number]!} ink={season ? "red" : "blue"} x={17} y={6} size={40} bold={8} />
      <path class="mj-stroke mj-green" stroke-width="2.6" d="M30 75Q22 70 14 72M30 75Q38 69 47 72M30 76V62" />
      <g class={season ? "mj-blue" : "mj-red"} transform="translate(30 60)">
        {petals.map((turn) => (
          <ellipse key={turn} class="mj-fill" cx="0" cy="-5" rx="3.4" ry="4.6" transform={`rotate(${turn})`} />
        ))}
        <circle class="mj-gold" r="2.6" />
      </g>
      <text class={`mj-figure ${season ? "mj-red" : "mj-blue"}`} x="2" y="16">
        {(number % 4) + 1}
      </text>
    </>
  );
}
