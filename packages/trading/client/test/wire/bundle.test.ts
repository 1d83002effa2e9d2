import { bundlers } from "@proj/test-kit/bundle";
import { expect, test } from "vitest";

const folder = import.meta.dirname;

test.each(bundlers)(
  "%s bundles the protocol for browsers, without Node APIs and within its budget",
  async (_name, bundle) => {
    const { code, bytes, warnings } = await bundle(
      `export * from "@proj/trading-client/wire";`,
      folder,
    );
    expect(warnings).toEqual([]);
    expect(code).not.toMatch(/["']node:|require\(/);
    expect(code).toContain("parseWireTime");
    expect(bytes).toBeLessThan(30_000);
  },
);
