/** The items in groups of `size`; the last group may be smaller. */
export function* inGroups<Item>(items: Iterable<Item>, size: number): Generator<Item[]> {
  let group: Item[] = [];
  for (const item of items) {
    if (group.push(item) < size) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
