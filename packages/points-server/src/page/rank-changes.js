/** Ranks by ranking and address, of the snapshot that is shown and of the one that was shown before. */
let shown = { snapshot: null, ranks: new Map() };
let before = shown;

/** Remembers the ranks of a page. */
export function seeRanks(snapshot, ranking, records) {
  if (snapshot !== shown.snapshot) {
    before = shown;
    shown = { snapshot, ranks: new Map() };
  }
  for (const { address, rank } of records) shown.ranks.set(`${ranking} ${address}`, rank);
}

/** How many ranks an address has risen since the snapshot that was shown before; 0: none, or it is not known. */
export function risenBy(ranking, { address, rank }) {
  return (before.ranks.get(`${ranking} ${address}`) ?? rank) - rank;
}
