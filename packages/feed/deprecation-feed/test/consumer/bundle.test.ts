import { bundlers } from "@proj/test-kit/bundle";
import { expect, test } from "vitest";

const folder = import.meta.dirname;

test.each(bundlers)(
  "%s bundles the consumer for browsers, without Node and within its budget",
  async (_name, bundle) => {
    const { code, bytes, warnings } = await bundle(
      `export * from "@proj/deprecation-feed/consumer";`,
      folder,
    );
    expect(warnings).toEqual([]);
    expect(code).not.toMatch(/["']node:|require\(/);
    expect(code).toContain("readFeed");
    expect(bytes).toBeLessThan(20_000);
  },
);
