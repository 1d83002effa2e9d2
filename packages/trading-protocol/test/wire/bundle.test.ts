import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { bundleWithEsbuild, bundleWithVite } from "@proj/test-kit/bundle";
import { expect, test } from "vitest";

const folder = dirname(fileURLToPath(import.meta.url));

test.each([
  ["esbuild", bundleWithEsbuild],
  ["Vite", bundleWithVite],
])(
  "%s bundles the protocol for browsers, without Node APIs and within its budget",
  async (_name, bundle) => {
    const { code, bytes, warnings } = await bundle(
      `export * from "@proj/trading-protocol";`,
      folder,
    );
    expect(warnings).toEqual([]);
    expect(code).not.toMatch(/["']node:|require\(/);
    expect(code).toContain("parseWireTime");
    expect(bytes).toBeLessThan(30_000);
  },
);
