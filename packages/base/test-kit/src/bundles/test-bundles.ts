/** Paths of the bundles that `bundles-setup` made: programs by the path of their source, threads by their name. */
export const testBundles: ReadonlyMap<string, string> = new Map(
  Object.entries(JSON.parse(process.env.TEST_BUNDLES ?? "{}")),
);
