/** The rank of each address when it was first seen, by ranking and address. */
const first = new Map();
/** A limit, because the page may be open for weeks. */
const maxAddresses = 10_000;

/** Remembers the ranks of a page; an address that was seen before keeps its first rank. */
export function seeRanks(ranking, records) {
  if (first.size > maxAddresses) first.clear();
  for (const { address, rank } of records) {
    const key = `${ranking} ${address}`;
    if (!first.has(key)) first.set(key, rank);
  }
}

/** How many ranks an address has risen since it was first seen; 0: none. */
export function risenBy(ranking, { address, rank }) {
  return (first.get(`${ranking} ${address}`) ?? rank) - rank;
}
