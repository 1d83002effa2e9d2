import { join } from "node:path";
import { expect, test } from "vitest";
import { runHere, swapLine, workplace } from "./program.ts";

test("imported events are in the next snapshot; importing the file again changes nothing", async () => {
  await using place = await workplace();
  const file = await place.write("a.jsonl", `${swapLine("a", 2)}\n\n${swapLine("b", 3)}\n`);
  const first = await runHere("import", file, "-c", place.config);
  expect(first).toMatchObject({ code: 0, stderr: "" });
  expect(first.stdout).toContain("2 stored, 0 already known, 0 refused");
  const again = await runHere("import", file, "-c", place.config, "--json");
  expect(JSON.parse(again.stdout)).toMatchObject({ lines: 2, stored: 0, repeated: 2 });
  const counted = await runHere("snapshot", "-c", place.config, "--json");
  expect(counted.code).toBe(0);
  expect(JSON.parse(counted.stdout)).toMatchObject({ totalItems: { total: 2, swaps: 2, lp: 0 } });
  const said = await runHere("snapshot", "-c", place.config);
  expect(said.stdout).toMatch(/^snapshot \S+: 2 records/);
});

test("CSV is recognised by the file's name or by --format", async () => {
  await using place = await workplace();
  const csv = "id,type,time,address,tokenX,tokenY,usdValue\n1,swap,1700000000,a,X,Y,5\n";
  for (const [name, ...more] of [["a.csv"], ["a.txt", "--format", "csv"]] as const) {
    const file = await place.write(name, csv);
    const { code, stdout } = await runHere("import", file, "-c", place.config, "--json", ...more);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ lines: 1, refused: 0 });
  }
});

test("a bad line is reported by number: nothing is stored, or with skip the other lines", async () => {
  await using place = await workplace();
  const file = await place.write("a.jsonl", `${swapLine("a", 2)}\n{"id":\n${swapLine("b", 3)}\n`);
  const refused = await runHere("import", file, "-c", place.config);
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("line 2");
  const told = await runHere("import", file, "-c", place.config, "--json");
  expect(JSON.parse(told.stdout)).toMatchObject({ stored: 0, refused: 1, errors: [{ line: 2 }] });
  const skipped = await runHere("import", file, "-c", place.config, "--on-error", "skip");
  expect(skipped.code).toBe(1);
  expect(skipped.stderr).toContain(`${file}:2: `);
  expect(skipped.stdout).toContain("2 stored, 0 already known, 1 refused");
});

test("the content program is replaced as a whole", async () => {
  await using place = await workplace();
  const entry = { address: "a", startTimestamp: 1, endTimestamp: 2, points: 3 };
  const file = await place.write("content.jsonl", `${JSON.stringify(entry)}\n`);
  const { code, stdout } = await runHere("import", file, "-c", place.config, "--content");
  expect(code).toBe(0);
  expect(stdout).toContain("is now the content program, with 1 entry");
  const bad = await place.write("bad.jsonl", "{}\n");
  const refused = await runHere("import", bad, "-c", place.config, "--content");
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain("line 1");
});

test("a missing file is reported, with exit code 3", async () => {
  await using place = await workplace();
  const file = join(place.config, "..", "no-such.jsonl");
  const { code, stderr } = await runHere("import", file, "-c", place.config);
  expect(code).toBe(3);
  expect(stderr).toContain("no-such.jsonl");
});
