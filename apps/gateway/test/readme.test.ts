import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);

test("the README's code is part of the tested quickstart", async () => {
  const readme = await readFile(new URL("README.md", root), "utf8");
  const quickstart = await readFile(new URL("apps/gateway/examples/quickstart.ts", root), "utf8");
  const blocks = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code ?? "");
  expect(blocks).not.toEqual([]);
  for (const block of blocks) expect(quickstart).toContain(block);
});
