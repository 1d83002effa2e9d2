/** Where addresses were when they were seen first, by ranking and address. */
const first = new Map();
/** Of a page that is open for weeks. */
const most = 10_000;

/** Remembers the ranks of a page, where they are not known from an older snapshot. */
export function seeRanks(ranking, records) {
  if (first.size > most) first.clear();
  for (const { address, rank } of records) {
    const key = `${ranking} ${address}`;
    if (!first.has(key)) first.set(key, rank);
  }
}

/** How many ranks an address has risen since it was seen first, over all snapshots since; 0: none. */
export function risenBy(ranking, { address, rank }) {
  return (first.get(`${ranking} ${address}`) ?? rank) - rank;
}
