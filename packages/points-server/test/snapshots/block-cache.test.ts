import { expect, test } from "vitest";
import { BlockCache } from "../../src/snapshots/block-cache.ts";

const block = (text: string) => ({ text, ends: [text.length] });

test("no more is kept than the limit allows; what was not asked for for the longest time goes first", () => {
  const cache = new BlockCache(10);
  cache.put("a", block("aaaa"));
  cache.put("b", block("bbbb"));
  expect(cache.get("a")).toEqual(block("aaaa"));
  cache.put("c", block("cccc"));
  expect(cache.get("b")).toBeUndefined();
  expect(cache.get("a")).toEqual(block("aaaa"));
  expect(cache.get("c")).toEqual(block("cccc"));
});

test("the same block again takes no more place, and one above the limit none at all", () => {
  const cache = new BlockCache(10);
  for (let time = 0; time < 5; time += 1) cache.put("a", block("aaaa"));
  cache.put("b", block("bbbb"));
  expect(cache.get("a")).toEqual(block("aaaa"));
  cache.put("large", block("x".repeat(11)));
  for (const key of ["a", "b", "large"]) expect(cache.get(key)).toBeUndefined();
  cache.put("c", block("cccc"));
  expect(cache.get("c")).toEqual(block("cccc"));
});
