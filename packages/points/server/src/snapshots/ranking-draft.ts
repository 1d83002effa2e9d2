import type { AddressBook } from "../accrual/address-book.ts";
import { AmountColumn } from "../accrual/amount-column.ts";
import { AccountLines } from "./account-lines.ts";
import type { Entry } from "./entry-lines.ts";
import { rankOrder } from "./rank-order.ts";
import { linesPerBlock } from "./ranking.ts";
import { sharedRankLine } from "./record-block.ts";

/**
 * A ranking before it is sorted. Lines are added in the order of their numbers in memory, and then read in the
 * order of the ranking: the other way round, each number of a line would be a random access.
 */
export class RankingDraft {
  readonly #book: AddressBook;
  readonly #points: AmountColumn;
  readonly #lines: AccountLines;

  constructor(book: AddressBook) {
    this.#book = book;
    this.#points = new AmountColumn(book.size);
    this.#lines = new AccountLines(book);
  }

  get size(): number {
    return this.#lines.size;
  }

  add(number: number, { points, line }: Entry): void {
    this.#points.add(this.size, points);
    this.#lines.add(number, line);
  }

  /**
   * @param isShared whether equal points share a rank
   * @returns the blocks of its lines, and the places by account number, from 1; 0: not in the ranking
   */
  rank(isShared: boolean): { readonly blocks: Iterable<Uint8Array>; readonly places: Uint32Array } {
    const [book, lines, points] = [this.#book, this.#lines, this.#points];
    const order = rankOrder(points, this.size, (a, b) =>
      book.compare(lines.numberAt(a), lines.numberAt(b)),
    );
    const places = new Uint32Array(book.size);
    // Iterating over a typed array would take longer than the loop's body.
    for (let index = 0; index < order.length; index += 1) {
      places[lines.numberAt(order[index] ?? 0)] = index + 1;
    }
    const pointsAt = (index: number): bigint => points.get(order[index] ?? 0);
    function* blocks(): Generator<Uint8Array> {
      let rank = 0;
      for (let first = 0; first < order.length; first += linesPerBlock) {
        const block = lines.joined(order.subarray(first, first + linesPerBlock));
        if (first === 0 || pointsAt(first) !== pointsAt(first - 1)) rank = first + 1;
        yield isShared ? Buffer.concat([Buffer.from(sharedRankLine(rank)), block]) : block;
        for (let index = first + 1; isShared && index < first + linesPerBlock; index += 1)
          if (index < order.length && pointsAt(index) !== pointsAt(index - 1)) rank = index + 1;
      }
    }
    return { blocks: blocks(), places };
  }
}
