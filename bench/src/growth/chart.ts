/** One curve of a chart, with its points from left to right. */
export interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly x: string;
  readonly y: string;
  readonly series: readonly Series[];
}

const [width, height] = [720, 360];
const [left, right, top, bottom] = [64, 220, 40, 48];
const colours = ["#2563eb", "#d97706", "#059669", "#dc2626"];
/** Readable on light and dark pages; the page's colour scheme decides. */
const style = `text{font:12px system-ui,sans-serif;fill:#374151}.title{font-size:14px;font-weight:600}
.grid{stroke:#d1d5db;stroke-width:1}.curve{fill:none;stroke-width:2}
@media(prefers-color-scheme:dark){text{fill:#d1d5db}.grid{stroke:#4b5563}}`;

/** An SVG with logarithmic axes: proportional growth is a straight line parallel to the diagonal. */
export function drawChart({ title, x, y, series }: Chart): string {
  const xs = axis(series.flatMap(({ points }) => points.map(([value]) => value)));
  const ys = axis(series.flatMap(({ points }) => points.map(([, value]) => value)));
  const toX = (value: number): number => left + xs.share(value) * (width - left - right);
  const toY = (value: number): number =>
    height - bottom - ys.share(value) * (height - top - bottom);
  const lines = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">`,
    `<style>${style}</style>`,
    `<text class="title" x="${left}" y="20">${escaped(title)}</text>`,
    `<text x="${(left + width - right) / 2}" y="${height - 10}" text-anchor="middle">${escaped(x)}</text>`,
    `<text x="14" y="${(top + height - bottom) / 2}" text-anchor="middle" transform="rotate(-90 14 ${(top + height - bottom) / 2})">${escaped(y)}</text>`,
  ];
  for (const tick of xs.ticks) {
    const at = toX(tick).toFixed(1);
    lines.push(`<line class="grid" x1="${at}" y1="${top}" x2="${at}" y2="${height - bottom}"/>`);
    lines.push(
      `<text x="${at}" y="${height - bottom + 16}" text-anchor="middle">${short(tick)}</text>`,
    );
  }
  for (const tick of ys.ticks) {
    const at = toY(tick).toFixed(1);
    lines.push(`<line class="grid" x1="${left}" y1="${at}" x2="${width - right}" y2="${at}"/>`);
    lines.push(
      `<text x="${left - 6}" y="${Number(at) + 4}" text-anchor="end">${short(tick)}</text>`,
    );
  }
  for (const [index, { name, points }] of series.entries()) {
    const colour = colours[index % colours.length];
    const path = points.map(([a, b]) => `${toX(a).toFixed(1)},${toY(b).toFixed(1)}`).join(" ");
    const label = top + 14 + 18 * index;
    lines.push(`<polyline class="curve" stroke="${colour}" points="${path}"/>`);
    for (const [a, b] of points)
      lines.push(
        `<circle cx="${toX(a).toFixed(1)}" cy="${toY(b).toFixed(1)}" r="3" fill="${colour}"/>`,
      );
    lines.push(`<circle cx="${width - right + 14}" cy="${label - 4}" r="4" fill="${colour}"/>`);
    lines.push(`<text x="${width - right + 24}" y="${label}">${escaped(name)}</text>`);
  }
  return `${lines.join("\n")}\n</svg>\n`;
}

interface Axis {
  readonly ticks: readonly number[];
  /** A value's position, from 0 to 1. */
  readonly share: (value: number) => number;
}

/** The whole powers of ten around the values. */
function axis(values: readonly number[]): Axis {
  const positive = values.filter((value) => value > 0 && Number.isFinite(value));
  const low = positive.length === 0 ? 0 : Math.floor(Math.log10(Math.min(...positive)));
  const reached = positive.length === 0 ? 1 : Math.ceil(Math.log10(Math.max(...positive)));
  const high = Math.max(reached, low + 1);
  const share = (value: number): number =>
    value > 0 ? (Math.log10(value) - low) / (high - low) : 0;
  const ticks = Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index));
  return { ticks, share };
}

/** For example 1M for 1000000. */
function short(value: number): string {
  for (const [size, unit] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const)
    if (value >= size) return `${value / size}${unit}`;
  return String(Number(value.toPrecision(3)));
}

function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
