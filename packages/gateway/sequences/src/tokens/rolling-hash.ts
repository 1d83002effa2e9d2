/**
 * A hash of all tokens so far, extended token by token. 53 bits: two lanes of 32 bits in one exact number.
 * Equal hashes are only a hint; tokens are compared before anything is concluded.
 */
export class RollingHash {
  #one = 0x811c9dc5;
  #other = 0x9e3779b9;

  add(ids: ArrayLike<number>, start: number, end: number): void {
    let one = this.#one;
    let other = this.#other;
    for (let at = start; at < end; at += 1) {
      const id = ids[at] ?? 0;
      one = Math.imul(one ^ id, 0x01000193);
      other = Math.imul((other ^ (other >>> 15)) + id, 0x85ebca6b);
    }
    this.#one = one;
    this.#other = other;
  }

  copy(): RollingHash {
    const copy = new RollingHash();
    copy.#one = this.#one;
    copy.#other = this.#other;
    return copy;
  }

  get value(): number {
    return (this.#one >>> 0) * 0x200000 + (this.#other >>> 11);
  }
}
