import { fileURLToPath } from "node:url";
import { startProcess } from "@proj/test-kit";
import { expect, test } from "vitest";

const program = fileURLToPath(new URL("../src/trading/soak-main.ts", import.meta.url));

test("a minute of market with 5 bots and a fault every second loses no order and no trade", async () => {
  await using soak = startProcess([program, "1", "5"]);
  const { code } = await soak.exit(100_000);
  expect([code, soak.output]).toEqual([0, expect.stringContaining("SIGKILL of the broker")]);
  const required = /^\| ([^|]+)\| +none \|([^|]+)\| +(\w+) \|$/gm;
  expect(
    [...soak.stdout.matchAll(required)].map(([, ...cells]) =>
      cells.map((cell) => cell.trim()).join(" "),
    ),
  ).toEqual([
    "trades and orders lost none PASS",
    "rejections not handled none PASS",
    "calls failed otherwise none PASS",
    "mirrors that are not the table none PASS",
  ]);
});
