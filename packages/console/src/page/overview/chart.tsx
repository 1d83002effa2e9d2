import { useEffect, useRef } from "preact/hooks";
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
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
  useEffect(() => plot.current?.setData(data), [series]);
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
        value: (_plot: uPlot, value: number | null) =>
          value === null ? "–" : String(Math.round(100 * value) / 100),
        points: { show: false },
      })),
    ],
  };
}

/** What a colour is on this element: a canvas does not understand `light-dark()`. */
function resolved(element: HTMLElement, colour: string): string {
  const before = element.style.color;
  element.style.color = colour;
  const { color } = getComputedStyle(element);
  element.style.color = before;
  return color;
}

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
