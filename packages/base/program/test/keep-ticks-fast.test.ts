import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@proj/test-kit";
import { expect, test } from "vitest";

/** How often V8 has made the hidden class that a tick's object begins with. */
async function classesMade(prepare: string): Promise<number> {
  await using folder = await temporaryFolder();
  const log = join(folder.path, "v8.log");
  const program = `
    import { setImmediate as turn } from "node:timers/promises";
    import { keepTicksFast } from ${JSON.stringify(new URL("../src/keep-ticks-fast.ts", import.meta.url).href)};
    ${prepare}
    for (let round = 0; round < 3; round += 1) {
      process.nextTick(() => {});
      await turn();
      gc();
    }`;
  const flags = ["--expose-gc", "--log-maps", "--no-logfile-per-isolate", `--logfile=${log}`];
  const { status, stderr } = spawnSync(
    process.execPath,
    [...flags, "--input-type=module", "--eval", program],
    { encoding: "utf8" },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  const made = new Map<string, number>();
  // map,Transition,time,from,to,function,line,column,reason,name
  for (const line of readFileSync(log, "latin1").split("\n")) {
    const [, kind, , , , where, row, column, , name] = line.split(",");
    if (kind !== "Transition" || !name?.startsWith('symbol("async_id_symbol"')) continue;
    const place = `${where} ${row} ${column}`;
    made.set(place, (made.get(place) ?? 0) + 1);
  }
  return Math.max(...made.values());
}

test("collections leave the hidden class of ticks alone", async () => {
  expect(await classesMade("keepTicksFast();")).toBe(1);
});

test("they would take it away otherwise", async () => {
  expect(await classesMade("")).toBeGreaterThan(1);
});
