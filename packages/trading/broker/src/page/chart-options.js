const whole = new Intl.DateTimeFormat(undefined, {
  ...{ year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit" },
});
/** Formats of marks on the time axis, by kind: year, month, day, time. */
const marks = [
  new Intl.DateTimeFormat(undefined, { year: "numeric" }),
  new Intl.DateTimeFormat(undefined, { month: "short" }),
  new Intl.DateTimeFormat(undefined, { month: "short", day: "numeric" }),
];
const clock = new Intl.DateTimeFormat(undefined, { hour: "2-digit", minute: "2-digit" });

/** Formats in the reader's time zone; the chart's own marks are in UTC. */
const markTime = (seconds, kind) => (marks[kind] ?? clock).format(seconds * 1000);

/** A time of the chart, in full. */
export const timeText = (seconds) => whole.format(seconds * 1000);

/** Options for a chart that fills an element, in its colours and the reader's time zone. */
export function inLocalTime(place) {
  const { color } = getComputedStyle(place);
  const line = "rgba(128, 128, 128, 0.2)";
  return {
    autoSize: true,
    layout: { background: { color: "transparent" }, textColor: color },
    grid: { vertLines: { color: line }, horzLines: { color: line } },
    timeScale: { timeVisible: true, tickMarkFormatter: markTime },
    localization: { timeFormatter: timeText },
  };
}
