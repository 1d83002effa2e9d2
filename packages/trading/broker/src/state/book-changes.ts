import type { Book } from "../engine/book.ts";
import type { BookChanges } from "./market-state.ts";

/** Takes a book's unsaved changes; from then on they count as saved. */
export function takeBookChanges(book: Book): BookChanges {
  const { unsaved } = book;
  const changes = {
    counters: { ...book.counters },
    accounts: present(unsaved.accounts, book.accounts),
    quotes: present(unsaved.quotes, book.quotes),
    orders: present(unsaved.orders, book.orders),
    removedOrders: absent(unsaved.orders, book.orders),
    positions: present(unsaved.positions, book.positions),
    removedPositions: absent(unsaved.positions, book.positions),
    closedPositions: [...unsaved.closedPositions],
    equityPoints: [...unsaved.equityPoints],
    transactions: [...unsaved.transactions],
  };
  book.forgetUnsaved();
  return changes;
}

function present<Key, Value>(keys: Iterable<Key>, values: ReadonlyMap<Key, Value>): Value[] {
  const found: Value[] = [];
  for (const key of keys) {
    const value = values.get(key);
    if (value !== undefined) found.push(value);
  }
  return found;
}

function absent<Key>(keys: Iterable<Key>, values: ReadonlyMap<Key, unknown>): Key[] {
  return [...keys].filter((key) => !values.has(key));
}
