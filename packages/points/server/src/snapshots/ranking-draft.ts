import type { AddressBook } from "../accrual/address-book.ts";
import { AmountColumn } from "../accrual/amount-column.ts";
import { AccountLines } from "./account-lines.ts";
import type { Entry } from "./entry-lines.ts";
import { rankOrder } from "./rank-order.ts";
import { linesPerBlock } from "./ranking.ts";

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

  /** @returns the blocks of its lines, and the ranks by account number; 0: not in the ranking */
  rank(): { readonly blocks: Iterable<Uint8Array>; readonly ranks: Uint32Array } {
    const [book, lines] = [this.#book, this.#lines];
    const order = rankOrder(this.#points, this.size, (a, b) =>
      book.compare(lines.numberAt(a), lines.numberAt(b)),
    );
    const ranks = new Uint32Array(book.size);
    // Iterating over a typed array would take longer than the loop's body.
    for (let index = 0; index < order.length; index += 1) {
      ranks[lines.numberAt(order[index] ?? 0)] = index + 1;
    }
    function* blocks(): Generator<Uint8Array> {
      for (let first = 0; first < order.length; first += linesPerBlock) {
        yield lines.joined(order.subarray(first, first + linesPerBlock));
      }
    }
    return { blocks: blocks(), ranks };
  }
}
