/** The resources of this measurement; every server and every matcher has the seven routes of each. */
export const RESOURCES = [
  "snips",
  "users",
  "orders",
  "invoices",
  "products",
  "carts",
  "reviews",
  "sessions",
  "steps",
  "models",
] as const;

/** What every server answers to every request. */
export const ANSWER: object = {
  name: "a resource of some size",
  description: "Such as a small list or a record with a dozen members would have. ".repeat(3),
  tags: ["a", "b", "c"],
};

/** Requests for items, one in three with an escape in its id, and one in four for a collection. */
export function hitPaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = RESOURCES[index % RESOURCES.length];
    if (index % 4 === 3) return `/${name}/`;
    return index % 3 === 0 ? `/${name}/order%2F${index}` : `/${name}/${index * 7919}?page=2`;
  });
}

/** Requests that are for the ordinary handlers. */
export function missPaths(count: number): string[] {
  const names = ["health", "metrics", "assets", "snipsnap", "login", "user"];
  return Array.from({ length: count }, (_, index) => `/${names[index % names.length]}/${index}.js`);
}
