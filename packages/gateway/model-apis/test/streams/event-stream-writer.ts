import fc from "fast-check";

/** How a server writes its events and a network cuts them. */
export interface Manner {
  readonly lineEnding: "\n" | "\r\n" | "\r";
  readonly byteOrderMark: boolean;
  readonly spaceAfterColon: boolean;
  /** Data span several lines. */
  readonly prettyPrinted: boolean;
  readonly noise: boolean;
  readonly seed: number;
  /** Mean length of the pieces in which the bytes arrive. */
  readonly pieceBytes: number;
}

export const manners: fc.Arbitrary<Manner> = fc.record({
  lineEnding: fc.constantFrom("\n", "\r\n", "\r"),
  byteOrderMark: fc.boolean(),
  spaceAfterColon: fc.boolean(),
  prettyPrinted: fc.boolean(),
  noise: fc.boolean(),
  seed: fc.integer(),
  pieceBytes: fc.constantFrom(1, 2, 7, 40, 400, 1e6),
});

/** A small generator of decisions (mulberry32), so that one seed repeats a run. */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed | 0;
  }

  /** From 0 to `sides` - 1. */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (((mixed ^ (mixed >>> 14)) >>> 0) % sides) | 0;
  }

  /** Cuts into parts, between any two elements. */
  split<T extends string | readonly unknown[]>(whole: T): T[] {
    const parts: T[] = [];
    for (let at = 0; at < whole.length; ) {
      const length = 1 + this.roll(4);
      parts.push(whole.slice(at, at + length) as T);
      at += length;
    }
    return parts;
  }

  /** Merges several sequences into one, keeping each one's order. */
  interleave<T>(sequences: readonly (readonly T[])[]): T[] {
    const left = sequences.filter((sequence) => sequence.length > 0).map((all) => [...all]);
    const merged: T[] = [];
    while (left.length > 0) {
      const at = this.roll(left.length);
      const next = left[at]?.shift();
      if (next !== undefined) merged.push(next);
      if (left[at]?.length === 0) left.splice(at, 1);
    }
    return merged;
  }
}

const noises = [
  ": comment",
  ":",
  ": data: [DONE]",
  "id: 7",
  "retry: 100",
  "unknown: x",
  "event: response.completed",
  "data-like: {}",
  "date",
];

/** The bytes of a stream of events, and where the last event's `data` line begins. */
export function writeEvents(
  events: readonly unknown[],
  manner: Manner,
): { readonly bytes: Buffer; readonly lastEventStart: number } {
  const { lineEnding } = manner;
  const dice = new Dice(manner.seed);
  let text = manner.byteOrderMark ? "\u{feff}" : "";
  let lastEventStart = 0;
  const addNoise = (): void => {
    if (manner.noise && dice.roll(3) === 0)
      text += `${noises[dice.roll(noises.length)]}${lineEnding}`;
  };
  for (const event of events) {
    addNoise();
    if (manner.noise && dice.roll(4) === 0) text += lineEnding;
    lastEventStart = Buffer.byteLength(text);
    const data =
      typeof event === "string" ? event : JSON.stringify(event, null, manner.prettyPrinted ? 1 : 0);
    for (const line of data.split("\n")) {
      text += `data:${manner.spaceAfterColon ? " " : ""}${line}${lineEnding}`;
      if (line.length === 1) addNoise();
    }
    text += lineEnding;
  }
  return { bytes: Buffer.from(text), lastEventStart };
}

/** Cuts anywhere, even within a character or between CR and LF. */
export function cut(bytes: Buffer, { seed, pieceBytes }: Manner): Buffer[] {
  const dice = new Dice(seed);
  const pieces: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const length = 1 + dice.roll(2 * pieceBytes - 1);
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}
