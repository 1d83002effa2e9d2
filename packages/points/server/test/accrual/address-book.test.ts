import { expect, test } from "vitest";
import { AddressBook } from "../../src/accrual/address-book.ts";
import { packTexts } from "../../src/bytes/packed-texts.ts";

test.each([0, 1, 700, 5_000])(
  "with place for %i, all of 3,000 addresses keep their numbers",
  (expected) => {
    const book = new AddressBook(expected);
    // Longer than usual, so that the buffer is too small at first.
    const addresses = Array.from({ length: 3_000 }, (_, index) => `address-${index}`.repeat(8));
    const all = packTexts(addresses);
    const inOrder = addresses.map((_, index) => index);
    expect([...book.numbersOf(all)]).toEqual(inOrder);
    expect([...book.numbersOf(all)]).toEqual(inOrder);
    expect(addresses.map((_, number) => book.addressOf(number))).toEqual(addresses);
    expect(book.size).toBe(3_000);
  },
);

test("many addresses at once get the same numbers as one by one, also when one is new and repeated", () => {
  const [together, alone] = [new AddressBook(), new AddressBook()];
  for (let first = 0; first < 6_000; first += 500) {
    const addresses = Array.from(
      { length: 700 },
      (_, index) => `address-${first + Math.floor(index / 2)}`,
    );
    const numbers = [...together.numbersOf(packTexts(addresses))];
    expect(numbers).toEqual(addresses.map((address) => alone.numbersOf(packTexts([address]))[0]));
  }
  expect(together.size).toBe(alone.size);
});
