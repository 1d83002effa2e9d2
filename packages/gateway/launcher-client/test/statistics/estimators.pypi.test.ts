import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { isLeftOutWithoutPython, pythonWith, temporaryFolder } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import {
  clusteredError,
  cohenKappa,
  krippendorffAlpha,
  mean,
  pairedTest,
  passAtK,
  passHatK,
  percentileInterval,
  type Random,
  resampledMeans,
  seededRandom,
  studentInterval,
  wilsonInterval,
} from "../../src/statistics/index.ts";

const packages = ["scipy==1.17.1", "statsmodels==0.15.0", "inspect-ai==0.3.285"];
const python = await pythonWith([...packages, "krippendorff==0.9.0"]);
const program = fileURLToPath(new URL("estimators.py", import.meta.url));

interface Case {
  readonly clusters: readonly (readonly number[])[];
  readonly trials: readonly (readonly [n: number, passed: number])[];
  readonly k: number;
  readonly first: readonly number[];
  readonly second: readonly number[];
  readonly pairs: readonly (readonly [string, string])[];
  readonly units: readonly (readonly number[])[];
  readonly means: readonly number[];
}

const whole = (random: Random, most: number): number => Math.floor(random() * (most + 1));

/** @param value a score */
function caseOf(random: Random, tasks: number, most: number, value: () => number): Case {
  const list = <T>(length: number, of: () => T): T[] => Array.from({ length }, of);
  const clusters = list(tasks, () => list(1 + whole(random, most - 1), value));
  const word = () => ["good", "fair", "bad"][whole(random, 2)] ?? "";
  return {
    clusters,
    trials: clusters.map(({ length }) => [length, whole(random, length)] as const),
    k: 1 + whole(random, most - 1),
    first: list(tasks, value),
    second: list(tasks, value),
    pairs: list(tasks + 1, () => [word(), word()] as const),
    // Some have no value, and some one: they are missing.
    units: [[1, 2], ...list(tasks, () => list(whole(random, 3), () => whole(random, 4)))],
    means: [...resampledMeans(clusters, 50, random)],
  };
}

function cases(): readonly Case[] {
  const random = seededRandom(46);
  const real = () => 10 * random() - 5;
  const ties = () => whole(random, 1);
  return [
    ...Array.from({ length: 100 }, () => caseOf(random, 2 + whole(random, 20), 6, real)),
    ...Array.from({ length: 100 }, () => caseOf(random, 2 + whole(random, 20), 6, ties)),
    ...Array.from({ length: 10 }, () => caseOf(random, 1, 5, real)),
    ...Array.from({ length: 10 }, () => caseOf(random, 12, 1, ties)),
    ...Array.from({ length: 5 }, () => caseOf(random, 8, 3, () => 0.5)),
  ];
}

const boundsOf = (interval: { low: number; high: number } | null) =>
  interval === null ? null : [interval.low, interval.high];

function oursOf({ clusters, trials, k, first, second, pairs, units, means }: Case) {
  const tasks = trials.map(([n, passed]) => ({ n, passed }));
  const error = clusteredError(clusters);
  const interval = studentInterval(mean(clusters.flat()), error, clusters.length, 0.95);
  const at = passAtK(tasks, k);
  const all = tasks.reduce((sum, { n, passed }) => ({ n: sum.n + n, passed: sum.passed + passed }));
  const test = pairedTest(first.map((value, index) => (second[index] ?? 0) - value));
  return {
    clustered: { inspect: error, statsmodels: error, interval: boundsOf(interval) },
    passes: { at, inspect: at, hat: passHatK(tasks, k) },
    wilson: boundsOf(wilsonInterval(all, 0.95)),
    paired: {
      t: test.t,
      p: test.p,
      interval: boundsOf(test.interval),
      detectable: test.detectable,
    },
    kappa: cohenKappa(pairs),
    nominal: krippendorffAlpha(units, "nominal"),
    interval: krippendorffAlpha(units, "interval"),
    percentile: boundsOf(percentileInterval(means, 0.95)),
  };
}

/** Each number by its path. */
function numbersIn(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== "object" || value === null) return [[path, value]];
  return Object.entries(value).flatMap(([name, member]) => numbersIn(member, `${path}.${name}`));
}

describe.skipIf(isLeftOutWithoutPython("estimators", python))("estimators", () => {
  test("equal those of scipy, statsmodels, inspect_ai and krippendorff", async () => {
    await using folder = await temporaryFolder();
    const file = join(folder.path, "cases.json");
    const given = cases();
    await writeFile(file, JSON.stringify(given));
    const lines = ((await python?.runFile(program, file)) ?? "").trim().split("\n");
    expect(lines).toHaveLength(given.length);
    let compared = 0;
    for (const [index, one] of given.entries()) {
      const theirs = new Map(numbersIn(JSON.parse(lines[index] ?? ""), `case ${index}`));
      for (const [path, ours] of numbersIn(oursOf(one), `case ${index}`)) {
        const their = theirs.get(path) ?? null;
        const isEqual =
          typeof ours === "number" && typeof their === "number"
            ? Math.abs(ours - their) <= 1e-9 * Math.max(1, Math.abs(their))
            : ours === their;
        expect(isEqual, `${path}: ${String(ours)}, not ${String(their)}`).toBe(true);
        compared += Number(typeof ours === "number");
      }
    }
    expect(compared).toBeGreaterThan(2_500);
  });
});
