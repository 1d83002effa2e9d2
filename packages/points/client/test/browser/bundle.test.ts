import { bundlers } from "@proj/test-kit/bundle";
import { expect, test } from "vitest";

const folder = import.meta.dirname;
const entry = `export { createPointsClient } from "@proj/points-client";`;
/** Gzipped size of the client with everything it needs. */
const budget = 34_000;

test.each(bundlers)(
  "%s bundles the client for browsers, without Node and within its budget",
  async (_name, bundle) => {
    const { code, bytes, warnings } = await bundle(entry, folder);
    expect(warnings).toEqual([]);
    expect(code).not.toMatch(/["']node:|require\(/);
    expect(code).toContain("leaderboard");
    expect(bytes).toBeLessThan(budget);
  },
);
