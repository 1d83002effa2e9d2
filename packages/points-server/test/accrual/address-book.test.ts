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
