/** The resources of this measurement; every server and matcher has all seven routes of each. */
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

/** Every server's answer to every request. */
export const ANSWER: object = {
  name: "a resource of some size",
  description: "Such as a small list or a record with a dozen members would have. ".repeat(3),
  tags: ["a", "b", "c"],
};

/** Requests for items, one in three with an escape in its id, and for collections, one in four. */
export function hitPaths(count: number): string[] {
  return Array.from({ length: count }, (_, index) => {
    const name = RESOURCES[index % RESOURCES.length];
    if (index % 4 === 3) return `/${name}/`;
    return index % 3 === 0 ? `/${name}/order%2F${index}` : `/${name}/${index * 7919}?page=2`;
  });
}

/** Requests for the ordinary handlers. */
export function missPaths(count: number): string[] {
  const names = ["health", "metrics", "assets", "snipsnap", "login", "user"];
  return Array.from({ length: count }, (_, index) => `/${names[index % names.length]}/${index}.js`);
}
