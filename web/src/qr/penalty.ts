/** How hard a code would be to read: the fewer points the better (ISO/IEC 18004, 7.8.3). */

const FINDERS = [/(?=10111010000)/g, /(?=00001011101)/g];

export function penalty(rows: readonly (readonly boolean[])[]): number {
  const lines = rows.map(written);
  const columns = rows.map((_, x) => written(rows.map((row) => row[x]!)));
  return [...lines, ...columns].reduce((sum, line) => sum + runs(line) + finders(line), blocks(rows) + balance(lines));
}

const written = (line: readonly boolean[]): string => line.map((black) => (black ? "1" : "0")).join("");

/** Five of a colour or more in a line. */
function runs(line: string): number {
  return (line.match(/0{5,}|1{5,}/g) ?? []).reduce((sum, run) => sum + run.length - 2, 0);
}

/** What looks like a finder; around the code everything is white. */
function finders(line: string): number {
  const whole = `0000${line}0000`;
  return 40 * FINDERS.reduce((sum, finder) => sum + (whole.match(finder) ?? []).length, 0);
}

/** Four of a colour in a square. */
function blocks(rows: readonly (readonly boolean[])[]): number {
  let points = 0;
  for (let y = 1; y < rows.length; y++) {
    const [above, row] = [rows[y - 1]!, rows[y]!];
    for (let x = 1; x < rows.length; x++) {
      if (row[x] === row[x - 1] && row[x] === above[x] && row[x] === above[x - 1]) points += 3;
    }
  }
  return points;
}

/** Far more of one colour than of the other. */
function balance(lines: readonly string[]): number {
  const all = lines.join("");
  const black = all.replaceAll("0", "").length;
  return 10 * Math.floor(Math.abs(20 * (black / all.length) - 10));
}
