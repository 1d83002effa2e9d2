/** The state of a generator: four unsigned integers of 32 bits. */
export type RandomState = readonly [number, number, number, number];

/**
 * A seeded pseudo-random generator, sfc32 (Chris Doty-Humphrey). It uses only integers, so that every machine
 * draws the same numbers.
 */
export class Random {
  #a: number;
  #b: number;
  #c: number;
  #counter: number;

  constructor([a, b, c, counter]: RandomState) {
    this.#a = a;
    this.#b = b;
    this.#c = c;
    this.#counter = counter;
  }

  static fromSeed(seed: number): Random {
    const random = new Random([seed >>> 0, Math.floor(seed / 2 ** 32) >>> 0, 0, 1]);
    for (let round = 0; round < 15; round += 1) random.integer();
    return random;
  }

  get state(): RandomState {
    return [this.#a, this.#b, this.#c, this.#counter];
  }

  /** From 0 to 2³² - 1. */
  integer(): number {
    const result = (this.#a + this.#b + this.#counter) >>> 0;
    this.#counter = (this.#counter + 1) >>> 0;
    this.#a = (this.#b ^ (this.#b >>> 9)) >>> 0;
    this.#b = (this.#c + (this.#c << 3)) >>> 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + result) >>> 0;
    return result;
  }

  /**
   * Roughly normal, with mean 0, standard deviation 1 and no values beyond 3.5: a sum of four uniform numbers.
   * Avoids logarithms, whose last digit may differ between JavaScript engines.
   */
  normal(): number {
    const sum = this.integer() + this.integer() + this.integer() + this.integer();
    return (sum / 2 ** 32 - 2) * Math.sqrt(3);
  }
}
