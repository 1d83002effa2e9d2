import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("the quick start runs, and what it asserts holds", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});

test("the README shows lines of the quick start", async () => {
  const read = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), "utf8");
  const [readme, example] = await Promise.all([
    read("../README.md"),
    read("../examples/quickstart.ts"),
  ]);
  const shown = /```ts\n(.*?)```/s.exec(readme)?.[1]?.split("\n\n") ?? [];
  expect(shown).toHaveLength(4);
  for (const part of shown) expect(example).toContain(part);
});
