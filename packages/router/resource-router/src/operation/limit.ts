/** The longest delay of a timer; a longer one would fire at once. */
const highestLimit = 2 ** 31 - 1;

/** @throws RangeError the limit is not a positive whole number */
export function readLimit(name: string, value: number): number {
  if (Number.isInteger(value) && value > 0 && value <= highestLimit) return value;
  throw new RangeError(`'${name}' must be a whole number from 1 to ${highestLimit}, not ${value}.`);
}
