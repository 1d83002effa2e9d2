import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

test("the quick start runs, and its assertions hold", async () => {
  await expect(import("../examples/quickstart.ts")).resolves.toBeDefined();
});

test("the README's first example is the quick start", async () => {
  const read = (name: string): Promise<string> => readFile(new URL(name, import.meta.url), "utf8");
  const [readme, example] = await Promise.all([
    read("../README.md"),
    read("../examples/quickstart.ts"),
  ]);
  expect(/```ts\n(.*?)```/s.exec(readme)?.[1]).toBe(example);
});
