import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { count } from "../text/format.ts";
import type { Series } from "./route-figures.ts";

interface ChartProps {
  readonly title: string;
  /** Of the vertical axis, such as `per minute`. */
  readonly unit: string;
  readonly series: Series;
}

const height = 150;

/** Draws lines over the last hour. */
export function Chart({ title, unit, series }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const data = [series.times, ...series.lines.map(({ values }) => values)] as uPlot.AlignedData;
  const names = series.lines.map(({ name }) => name).join();
  useEffect(() => {
    const element = place.current;
    if (element === null) return;
    const draw = (): void => {
      plot.current?.destroy();
      plot.current = new uPlot(optionsOf(series, element), plot.current?.data ?? data, element);
      tellLatest(plot.current);
    };
    draw();
    const scheme = matchMedia("(prefers-color-scheme: dark)");
    const sizes = new ResizeObserver(() =>
      plot.current?.setSize({ width: element.clientWidth, height }),
    );
    scheme.addEventListener("change", draw);
    sizes.observe(element);
    return () => {
      scheme.removeEventListener("change", draw);
      sizes.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [names]);
  useEffect(() => {
    if (plot.current === null) return;
    plot.current.setData(data);
    tellLatest(plot.current);
  }, [series]);
  return (
    <figure class="chart">
      <figcaption>
        {title} <span class="quiet">{unit}</span>
      </figcaption>
      <div ref={place} role="img" aria-label={`${title} ${unit}: ${described(series)}`} />
    </figure>
  );
}

function optionsOf(series: Series, element: HTMLElement): uPlot.Options {
  const styles = getComputedStyle(element);
  const colour = (name: string): string => resolved(element, styles.getPropertyValue(name));
  const axis = {
    stroke: colour("--quiet"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { show: false },
    font: "11px system-ui, sans-serif",
  };
  return {
    width: element.clientWidth,
    height,
    cursor: { y: false, drag: { x: false, y: false } },
    hooks: { setCursor: [tellLatest] },
    scales: { y: { range: (_plot, _low, high) => [0, high > 0 ? 1.1 * high : 1] } },
    axes: [
      { ...axis, size: 24, space: 72, values: (_plot, times) => times.map(clock) },
      { ...axis, size: 44 },
    ],
    series: [
      { label: "at", value: (_plot, time) => (time === null ? "–" : clock(time)) },
      ...series.lines.map(({ name, colour: own }) => ({
        label: name,
        stroke: colour(own),
        width: 1.5,
        spanGaps: false,
        value: (_plot: uPlot, value: number | null) => (value === null ? "–" : short(value)),
        points: { show: false, filter: alone },
      })),
    ],
  };
}

/** The legend has the latest values, unless somebody points at others. */
function tellLatest(plot: uPlot): void {
  if (plot.cursor.idx == null) plot.setLegend({ idx: plot.data[0].length - 1 }, false);
}

/** Positions of values without a neighbour, which no line shows: they are drawn as points. */
function alone(plot: uPlot, line: number): number[] {
  const values = plot.data[line] ?? [];
  const isKnown = (at: number): boolean => (values[at] ?? null) !== null;
  return [...values.keys()].filter((at) => isKnown(at) && !isKnown(at - 1) && !isKnown(at + 1));
}

/** What a colour is on this element: a canvas does not understand `light-dark()`. */
function resolved(element: HTMLElement, colour: string): string {
  const before = element.style.color;
  element.style.color = colour;
  const { color } = getComputedStyle(element);
  element.style.color = before;
  return color;
}

/** Three digits, or all of a larger number. */
const short = (value: number): string =>
  value >= 100 ? count(Math.round(value)) : String(Number(value.toPrecision(3)));

const clock = (seconds: number): string =>
  new Date(1000 * seconds).toLocaleTimeString(undefined, { hour: "2-digit", minute: "2-digit" });

/** For screen readers: the latest and the highest value of each line. */
const described = ({ lines }: Series): string =>
  lines
    .map(({ name, values }) => {
      const known = values.filter((value) => value !== null);
      if (known.length === 0) return `${name}: no data`;
      return `${name}: now ${known.at(-1)}, at most ${Math.max(...known)}`;
    })
    .join("; ");
