import { expect, test } from "vitest";
import { AddressBook } from "../../src/accrual/address-book.ts";

test.each([0, 1, 700, 5_000])(
  "with place for %i, all of 3,000 addresses keep their numbers",
  (expected) => {
    const book = new AddressBook(expected);
    // Longer than usual, so that there is less place than it takes.
    const addresses = Array.from({ length: 3_000 }, (_, index) => `address-${index}`.repeat(8));
    for (const [number, address] of addresses.entries())
      expect(book.numberOf(address)).toBe(number);
    for (const [number, address] of addresses.entries()) {
      expect(book.numberOf(address)).toBe(number);
      expect(book.addressOf(number)).toBe(address);
    }
    expect(book.size).toBe(3_000);
  },
);

test("many at once get the numbers that each would get, those seen for the first time twice too", () => {
  const [together, alone] = [new AddressBook(), new AddressBook()];
  for (let first = 0; first < 6_000; first += 500) {
    const rows = Array.from({ length: 700 }, (_, index) => ({
      address: `address-${first + Math.floor(index / 2)}`,
    }));
    const numbers = together.numbersOf(rows);
    expect([...numbers]).toEqual(rows.map(({ address }) => alone.numberOf(address)));
  }
  expect(together.size).toBe(alone.size);
});
