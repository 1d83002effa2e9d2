import { expect, test } from "vitest";
import { BlockCache } from "../../src/snapshots/block-cache.ts";

test("the cache keeps to its limit; the least recently used block goes first", () => {
  const cache = new BlockCache(10);
  cache.put("list", 1, "aaaa", 4);
  cache.put("list", 2, "bbbb", 4);
  expect(cache.get("list", 1)).toBe("aaaa");
  cache.put("list", 3, "cccc", 4);
  expect(cache.get("list", 2)).toBeUndefined();
  expect(cache.get("list", 1)).toBe("aaaa");
  expect(cache.get("list", 3)).toBe("cccc");
});

test("caching the same block again takes no space, and a block above the limit is not cached", () => {
  const cache = new BlockCache(10);
  for (let time = 0; time < 5; time += 1) cache.put("list", 1, "aaaa", 4);
  cache.put("list", 2, "bbbb", 4);
  expect(cache.get("list", 1)).toBe("aaaa");
  cache.put("list", 4, "much", 11);
  expect(cache.getRange("list", 1, 4)).toEqual(new Array(4).fill(undefined));
  cache.put("list", 3, "cccc", 4);
  expect(cache.get("list", 3)).toBe("cccc");
});

test("a range has the cached blocks of its list, in order", () => {
  const cache = new BlockCache(10);
  cache.put("list", 7, "seven", 1);
  cache.put("list", 5, "five", 1);
  cache.put("other", 6, "six", 1);
  expect(cache.getRange("list", 4, 7)).toEqual([undefined, "five", undefined, "seven"]);
  expect(cache.getRange("none", 4, 5)).toEqual([undefined, undefined]);
  // Most recently used, so kept the longest.
  cache.put("other", 1, "one", 9);
  expect(cache.get("other", 6)).toBeUndefined();
  expect(cache.getRange("list", 5, 7)).toEqual([undefined, undefined, "seven"]);
});
