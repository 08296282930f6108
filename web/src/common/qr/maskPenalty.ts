/** Penalty score of a masked QR code (ISO/IEC 18004, 7.8.3). */

const FINDERS = [/(?=10111010000)/g, /(?=00001011101)/g];

export function maskPenalty(rows: readonly (readonly boolean[])[]): number {
  const lines = rows.map(asBits);
  const columns = rows.map((_, x) => asBits(rows.map((row) => row[x]!)));
  return [...lines, ...columns].reduce((sum, line) => sum + runPenalty(line) + finderPenalty(line), blockPenalty(rows) + balancePenalty(lines));
}

const asBits = (line: readonly boolean[]): string => line.map((black) => (black ? "1" : "0")).join("");

/** Runs of five or more modules of one colour. */
function runPenalty(line: string): number {
  return (line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
}

/** Patterns that look like a finder; the quiet zone counts as light. */
function finderPenalty(line: string): number {
  const padded = `0000${line}0000`;
  return 40 * FINDERS.reduce((sum, finder) => sum + (padded.match(finder) ?? []).length, 0);
}

/** 2×2 blocks of one colour. */
function blockPenalty(rows: readonly (readonly boolean[])[]): number {
  let points = 0;
  for (let y = 1; y < rows.length; y++) {
    const [above, row] = [rows[y - 1]!, rows[y]!];
    for (let x = 1; x < rows.length; x++) {
      if (row[x] === row[x - 1] && row[x] === above[x] && row[x] === above[x - 1]) points += 3;
    }
  }
  return points;
}

/** Imbalance of dark and light modules. */
function balancePenalty(lines: readonly string[]): number {
  const all = lines.join("");
  const black = all.replaceAll("0", "").length;
  return 10 * Math.floor(Math.abs(20 * (black / all.length) - 10));
}
