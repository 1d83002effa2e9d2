import { expect, test } from "vitest";
import { drawChart } from "../src/growth/chart.ts";
import { growthOf } from "../src/growth/growth.ts";

const powers = [1, 10, 100, 1000];

test("proportional growth is a straight line, and a constant is a flat one", () => {
  const svg = drawChart({
    title: "Costs <of> & all",
    x: "work",
    y: "cost",
    series: [
      { name: "proportional", points: powers.map((size) => [size, 5 * size]) },
      { name: "constant", points: powers.map((size) => [size, 20]) },
    ],
  });
  const curves = [...svg.matchAll(/points="([^"]*)"/g)].map(([, text = ""]) =>
    text.split(" ").map((point) => point.split(",").map(Number)),
  );
  const risesOf = (curve: readonly number[][]): number[] =>
    curve.slice(1).map(([, y = 0], index) => Math.round((curve[index]?.[1] ?? 0) - y));
  const [proportional = [], constant = []] = curves.map(risesOf);
  expect(new Set(proportional).size).toBe(1);
  expect(proportional[0]).toBeGreaterThan(0);
  expect(constant).toEqual([0, 0, 0]);
  expect(svg).toContain("Costs &lt;of&gt; &amp; all");
  expect(svg).toContain("prefers-color-scheme:dark");
  expect(svg).toContain(">1k<");
});

test("a cost is compared with its lowest value", () => {
  const points = [
    [1, 30],
    [10, 10],
    [100, 25],
  ] as const;
  expect(growthOf({ name: "", unit: "", isCost: true, points })).toBe(2.5);
});
