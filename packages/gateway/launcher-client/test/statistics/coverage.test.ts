import { expect, test } from "vitest";
import {
  clusteredError,
  type Interval,
  mean,
  pairedTest,
  percentileInterval,
  type Random,
  resampledMeans,
  seededRandom,
  studentInterval,
  wilsonInterval,
} from "../../src/statistics/index.ts";

const draws = 10_000;

/** The share of simulated experiments whose interval contains the truth, in percent. */
function coverage(truth: number, seed: number, experiment: (random: Random) => Interval | null) {
  const random = seededRandom(seed);
  let covered = 0;
  for (let drawn = 0; drawn < draws; drawn += 1) {
    const interval = experiment(random);
    if (interval !== null && interval.low <= truth && truth <= interval.high) covered += 1;
  }
  return (100 * covered) / draws;
}

/** Box and Muller. */
const gauss = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

const list = (length: number, of: () => number): number[] => Array.from({ length }, of);

/** Tasks differ, and their rollouts differ among themselves. */
const normalTasks = (random: Random, tasks: number, rollouts: number) =>
  Array.from({ length: tasks }, () => {
    const task = gauss(random);
    return list(rollouts, () => task + gauss(random));
  });

/** Each task has a chance of its own, 0.5 on average, and each rollout passes or not. */
const binaryTasks = (random: Random, tasks: number, rollouts: number) =>
  Array.from({ length: tasks }, () => {
    const chance = random();
    return list(rollouts, () => Number(random() < chance));
  });

const clusteredInterval = (clusters: readonly (readonly number[])[]) =>
  studentInterval(mean(clusters.flat()), clusteredError(clusters), clusters.length, 0.95);

test.each([5, 40])(
  "the interval of the mean covers the truth 95 times in 100, with %i tasks",
  (tasks) => {
    const found = coverage(0, 1, (random) => clusteredInterval(normalTasks(random, tasks, 4)));
    expect(found).toBeGreaterThan(94);
    expect(found).toBeLessThan(96);
  },
);

test("it does so for rollouts that pass or fail, with forty tasks", () => {
  const found = coverage(0.5, 2, (random) => clusteredInterval(binaryTasks(random, 40, 4)));
  expect(found).toBeGreaterThan(94);
  expect(found).toBeLessThan(96);
});

test.each([5, 40])(
  "the interval of a difference covers the truth 95 times in 100, with %i tasks",
  (tasks) => {
    const found = coverage(
      0.3,
      3,
      (random) => pairedTest(list(tasks, () => 0.3 + gauss(random))).interval,
    );
    expect(found).toBeGreaterThan(94);
    expect(found).toBeLessThan(96);
  },
);

test("Wilson's interval covers 95 % of the time on average over all chances, for independent rollouts", () => {
  const random = seededRandom(4);
  let covered = 0;
  for (let drawn = 0; drawn < draws; drawn += 1) {
    const chance = random();
    const passed = list(40, () => Number(random() < chance)).reduce((sum, one) => sum + one, 0);
    const { low = 1, high = 0 } = wilsonInterval({ n: 40, passed }, 0.95) ?? {};
    covered += Number(low <= chance && chance <= high);
  }
  expect((100 * covered) / draws).toBeGreaterThan(94);
  expect((100 * covered) / draws).toBeLessThan(96);
});

test("Wilson's interval does not hold for several rollouts of each task, and the documents say so", () => {
  const found = coverage(0.5, 5, (random) => {
    const rollouts = binaryTasks(random, 40, 8).flat();
    const passed = rollouts.reduce((sum, one) => sum + one, 0);
    return wilsonInterval({ n: rollouts.length, passed }, 0.95);
  });
  expect(found).toBeLessThan(80);
});

test("draws of forty tasks or more come close to 95 %, of a few tasks they do not", () => {
  const bootstrap = (tasks: number, seed: number) =>
    coverage(0, seed, (random) =>
      percentileInterval(resampledMeans(normalTasks(random, tasks, 1), 200, random), 0.95),
    );
  expect(bootstrap(5, 6)).toBeLessThan(90);
  const many = bootstrap(40, 7);
  expect(many).toBeGreaterThan(92);
  expect(many).toBeLessThan(96);
});
