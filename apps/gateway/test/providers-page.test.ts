import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { configFor, providers } from "../src/providers.ts";

const page = readFileSync(new URL("../../../docs/providers.md", import.meta.url), "utf8");

test("docs/providers.md shows every provider as `init` writes it", () => {
  for (const [name, { base_url, variable, model }] of Object.entries(providers)) {
    const key = variable === null ? "none" : `\`${variable}\``;
    expect(page).toContain(`| \`${name}\` | \`${base_url}\` | ${key} | \`${model}\` |`);
  }
  const [, sample] = /```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { openai } = providers;
  if (openai === undefined) throw new Error("there is no provider openai");
  expect(sample).toBe(configFor("openai", openai, null));
});
