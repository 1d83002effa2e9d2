import { drawn } from "./drawing.js";
import { scaled, time, whole } from "./format.js";

const [width, height, margin] = [320, 80, 6];
/** Steps of the chart's height: numbers of any size are compared exactly but drawn coarsely. */
const parts = 1_000n;

/** The change since the last snapshot of the previous day, in words. */
export function changeOf(history, decimals) {
  const [before, now] = history.slice(-2);
  const risen = before.rank - now.rank;
  const ranks =
    risen === 0 ? "same rank" : `${risen > 0 ? "▲" : "▼"}${whole(Math.abs(risen))} in rank`;
  const gained = BigInt(now.points) - BigInt(before.points);
  const points = `${gained < 0n ? "−" : "+"}${scaled(String(gained < 0n ? -gained : gained), decimals)}`;
  return [`${ranks}, ${points} points since `, time(before.timestamp)];
}

/** A chart of an address's points by day. */
export function chartOf(history, decimals) {
  const values = history.map(({ points }) => BigInt(points));
  const sorted = values.toSorted((a, b) => (a < b ? -1 : 1));
  const [least] = sorted;
  const span = sorted.at(-1) - least || 1n;
  const start = history[0].timestamp;
  const duration = history.at(-1).timestamp - start;
  const places = history.map(({ timestamp }, index) => {
    const x = margin + ((timestamp - start) / duration) * (width - 2 * margin);
    const part = Number(((values[index] - least) * parts) / span) / Number(parts);
    return [x, height - margin - part * (height - 2 * margin)];
  });
  const line = drawn("polyline", { points: places.map((place) => place.join()).join(" ") });
  const dots = places.map(([cx, cy], index) => {
    const dot = drawn("circle", { cx, cy, r: 2.5 });
    const title = drawn("title", {});
    const { rank, points, timestamp } = history[index];
    title.textContent = `${scaled(points, decimals)} points, rank ${whole(rank)}, ${time(timestamp).textContent}`;
    dot.append(title);
    return dot;
  });
  const label = `Points by day, from ${scaled(history[0].points, decimals)} to ${scaled(history.at(-1).points, decimals)}`;
  const chart = drawn("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", class: "chart" });
  chart.setAttribute("aria-label", label);
  chart.append(line, ...dots);
  const caption = document.createElement("figcaption");
  caption.append(`${label}, since `, time(start));
  const figure = document.createElement("figure");
  figure.append(chart, caption);
  return figure;
}
