/** What is aligned: equal elements have the same `key`, similar ones the same `tool`. */
export interface Aligned {
  readonly key: string;
  readonly tool: string | null;
}

/** An element of each sequence; null if the sequence has none that belongs here. */
export type AlignedRow<One extends Aligned> = readonly (One | null)[];

/**
 * Puts equal elements side by side, or else similar ones. The others are aligned with the first sequence;
 * elements that only others have get their own rows.
 */
export function align<One extends Aligned>(
  sequences: readonly (readonly One[])[],
): readonly AlignedRow<One>[] {
  const [first, ...others] = sequences;
  if (first === undefined) return [];
  // What the others have before each element of the first sequence, and after the last.
  const placed = others.map((other) => placeBeside(first, other));
  const rows: (One | null)[][] = [];
  for (let at = 0; at <= first.length; at += 1) {
    const inserted = placed.map(({ before }) => before[at] ?? []);
    rows.push(
      ...align(inserted.filter((own) => own.length > 0)).map((row) => spread(row, inserted)),
    );
    const element = first[at];
    if (element !== undefined)
      rows.push([element, ...placed.map(({ beside }) => beside[at] ?? null)]);
  }
  return rows;
}

/** Widens a row of the sequences that are not empty to a row of all sequences. */
function spread<One>(
  row: readonly (One | null)[],
  sequences: readonly (readonly One[])[],
): (One | null)[] {
  let next = 0;
  const cells = sequences.map((own) => (own.length === 0 ? null : (row[next++] ?? null)));
  return [null, ...cells];
}

interface Placed<One> {
  /** By position in the first sequence. */
  readonly beside: readonly (One | null)[];
  readonly before: readonly (readonly One[])[];
}

const equalScore = 4;
const alikeScore = 1;

/** Needleman and Wunsch, without a price for gaps: the more elements are equal, the better. */
function placeBeside<One extends Aligned>(
  first: readonly One[],
  other: readonly One[],
): Placed<One> {
  const width = other.length + 1;
  const scores = new Int32Array((first.length + 1) * width);
  const scoreAt = (row: number, column: number): number => scores[row * width + column] ?? 0;
  for (let row = first.length - 1; row >= 0; row -= 1)
    for (let column = other.length - 1; column >= 0; column -= 1) {
      const both = pairScore(first[row], other[column]);
      scores[row * width + column] = Math.max(
        both === 0 ? 0 : both + scoreAt(row + 1, column + 1),
        scoreAt(row + 1, column),
        scoreAt(row, column + 1),
      );
    }
  const beside: (One | null)[] = first.map(() => null);
  const before: One[][] = Array.from({ length: first.length + 1 }, () => []);
  let row = 0;
  for (let column = 0; column < other.length; ) {
    const element = other[column];
    if (element === undefined) break;
    const both = pairScore(first[row], element);
    const score = scoreAt(row, column);
    if (row < first.length && both > 0 && score === both + scoreAt(row + 1, column + 1)) {
      beside[row] = element;
      row += 1;
      column += 1;
    } else if (row < first.length && score === scoreAt(row + 1, column)) row += 1;
    else {
      before[row]?.push(element);
      column += 1;
    }
  }
  return { beside, before };
}

function pairScore(one: Aligned | undefined, other: Aligned | undefined): number {
  if (one === undefined || other === undefined) return 0;
  if (one.key === other.key) return equalScore;
  return one.tool === other.tool ? alikeScore : 0;
}

/** Whether all sequences have the same element here. */
export const isSame = (row: AlignedRow<Aligned>): boolean =>
  row.every((cell) => cell !== null && cell.key === row[0]?.key);
