import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { runHere, swapLine, workplace } from "./program.ts";

const sha256 = (...parts: (string | Buffer)[]): Buffer => {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest();
};
const leaf = (text: string): Buffer => sha256(Buffer.of(0), text);
const node = (left: Buffer, right: Buffer): Buffer => sha256(Buffer.of(1), left, right);

test("a ranking is exported with its hash and Merkle root, and each address can be audited", async () => {
  await using place = await workplace();
  const lines = [swapLine("a", 2), swapLine("b", 3), swapLine("c", 5), swapLine("a", 4)];
  await runHere("import", await place.write("a.jsonl", lines.join("\n")), "-c", place.config);
  const early = await runHere("audit", "a", "-c", place.config);
  expect(early).toMatchObject({ code: 3, stderr: expect.stringContaining("no snapshot") });
  await runHere("snapshot", "-c", place.config);
  const output = await place.write(
    "out.csv",
    "an older one, which is longer than what is written now\n".repeat(9),
  );
  const proofs = ["--proofs", "openzeppelin"];
  const exported = await runHere("export", "-c", place.config, "--output", output, ...proofs);
  const csv = await readFile(output, "utf8");
  expect(csv).toBe(`rank,address,points,last24hPoints,lpPoints,swapPoints
1,a,6000000,0,0,6000000
2,c,5000000,0,0,5000000
3,b,3000000,0,0,3000000
`);
  const root = node(node(leaf("a,6000000"), leaf("c,5000000")), leaf("b,3000000"));
  expect(JSON.parse(exported.stdout)).toMatchObject({
    ...{ network: "main", ranking: "total", season: null, records: 3, pointsDecimal: 6 },
    ...{ sha256: sha256(csv).toString("hex"), merkle_root: root.toString("hex") },
  });
  const { openzeppelin } = JSON.parse(exported.stdout);
  const { claims, ...head } = JSON.parse(await readFile(`${output}.proofs.json`, "utf8"));
  expect(head).toEqual(openzeppelin);
  expect(claims).toMatchObject({
    a: { points: "6000000", proof: expect.arrayContaining([expect.stringMatching(/^0x/)]) },
  });
  const audited = await runHere("audit", "a", "-c", place.config, "--json");
  expect(JSON.parse(audited.stdout)).toMatchObject({
    ...{ address: "a", points: "6000000", lp_points: "0", swap_points: "6000000", pools: [] },
    swaps: [
      { id: "a-2", pair: "X/Y", usd_value: "2000000", points: "2000000" },
      { id: "a-4", points: "4000000" },
    ],
  });
  expect((await runHere("audit", "a", "-c", place.config)).stdout).toContain("a-4 at 1700000000");
});

test("a recomputation is previewed first, and made with --yes", async () => {
  await using place = await workplace();
  const file = await place.write("a.jsonl", swapLine("a", 2));
  await runHere("import", file, "-c", place.config);
  await runHere("snapshot", "-c", place.config);
  const settings = await readFile(place.config, "utf8");
  await place.write(
    "points.yaml",
    settings.replace('swapMultiplier: "1000000"', 'swapMultiplier: "3000000"'),
  );
  const shown = await runHere("snapshot", "-c", place.config, "--recompute");
  expect(shown.stdout).toContain("1 of 1 address would change");
  expect(shown.stdout).toContain("a: 2000000 -> 6000000");
  await runHere("snapshot", "-c", place.config);
  const kept = await runHere("audit", "a", "-c", place.config, "--json");
  expect(JSON.parse(kept.stdout)).toMatchObject({ points: "2000000" });
  await runHere("snapshot", "-c", place.config, "--recompute", "--yes");
  const changed = await runHere("audit", "a", "-c", place.config, "--json");
  expect(JSON.parse(changed.stdout)).toMatchObject({ points: "6000000" });
  expect((await runHere("snapshot", "-c", place.config, "--yes")).code).toBe(2);
});
