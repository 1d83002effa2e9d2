/** Numbers from 0 up to, but not including, 1: the same for the same seed, on every machine. */
export type Random = () => number;

/** splitmix32 (public domain): one multiplication chain for each number, and a period of 2^32. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e37_79b9) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 16), 0x21f0_aaad);
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 0x1_0000_0000;
  };
}

/** A new list in random order (Fisher and Yates). */
export function shuffled<T>(values: readonly T[], random: Random): T[] {
  const list = [...values];
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
  return list;
}
