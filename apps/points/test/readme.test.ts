import { readFileSync } from "node:fs";
import { demoProgram, parseSettings } from "@proj/points-server";
import { expect, test } from "vitest";

const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

test("the README's settings can be used", () => {
  const [, yaml = ""] = /```yaml\n([\s\S]*?)```/.exec(readme) ?? [];
  const settings = parseSettings(yaml, "README.md", { POINTS_SECRET: "whsec_c2VjcmV0" });
  expect(settings).toMatchObject({ ingest_secret: "whsec_c2VjcmV0", prefix: "api" });
});

test("the README has every setting", () => {
  const settings = parseSettings(
    JSON.stringify({ program: demoProgram(1_700_000_000) }),
    "settings",
  );
  for (const name of Object.keys(settings)) expect(readme).toContain(`\`${name}\``);
});
