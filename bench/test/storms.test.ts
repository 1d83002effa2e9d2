import { fileURLToPath } from "node:url";
import { startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url));

test("small storms of cancelled requests and of closes pass every check", async () => {
  const sizes = ["--requests", "300", "--races", "15"];
  await using storms = startProcess([program, "storms", "--storms", "cancel,close", ...sizes]);
  const { code } = await storms.exit(100_000);
  expect([code, storms.stdout]).toEqual([0, expect.not.stringContaining("FAIL")]);
  expect(storms.stdout).toMatch(
    /^cancel: (\d+) of \1 checks held[\s\S]*^close: (\d+) of \2 checks held/m,
  );
});

test("small storms on an engine's route and of kills between frames pass every check", async () => {
  const sizes = ["--requests", "150", "--kills", "2"];
  await using storms = startProcess([program, "storms", "--storms", "engine,socket", ...sizes]);
  const { code } = await storms.exit(100_000);
  expect([code, storms.stdout]).toEqual([0, expect.not.stringContaining("FAIL")]);
  expect(storms.stdout).toMatch(
    /^socket: (\d+) of \1 checks held[\s\S]*^engine: (\d+) of \2 checks held/m,
  );
});
