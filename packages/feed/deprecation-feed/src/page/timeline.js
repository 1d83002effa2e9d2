import { daysBetween, distance } from "./days.js";

const monthsBefore = 1;
const minMonths = 6;
const maxMonths = 14;

/** A lane per provider, with a mark for each day on which models shut down. */
export function drawTimeline(place, entries, today) {
  const start = monthStart(today, -monthsBefore);
  const latest =
    entries
      .map(({ dataset }) => dataset.shutdown)
      .sort()
      .at(-1) ?? "";
  const monthsAfter = [...Array(maxMonths).keys()].find(
    (months) => months >= minMonths && monthStart(today, months) > latest,
  );
  const end = monthStart(today, monthsAfter ?? maxMonths);
  const shown = entries.filter(
    ({ dataset }) => dataset.shutdown >= start && dataset.shutdown < end,
  );
  place.hidden = shown.length === 0;
  if (place.hidden) return;
  const position = (day) => `${(100 * daysBetween(start, day)) / daysBetween(start, end)}%`;
  const chart = element("div", "chart");
  const marks = element("div", "marks");
  marks.append(mark("today", position(today)));
  chart.append(marks, months(start, end, position));
  const lanes = Map.groupBy(shown, ({ dataset }) => dataset.label);
  for (const label of [...lanes.keys()].sort()) {
    chart.append(lane(label, lanes.get(label), position, today));
  }
  place.replaceChildren(chart);
}

function months(start, end, position) {
  const row = element("div", "months");
  for (let day = start; day < end; day = monthStart(day, 1)) {
    const month = mark("month", position(day));
    const name = { month: "short", timeZone: "UTC" };
    month.textContent = day.endsWith("-01-01")
      ? day.slice(0, 4)
      : new Date(day).toLocaleDateString("en", name);
    row.append(month);
  }
  return row;
}

function lane(label, entries, position, today) {
  const row = element("div", "lane");
  const name = element("span", "name");
  name.textContent = label;
  const track = element("div", "track");
  for (const [day, list] of Map.groupBy(entries, ({ dataset }) => dataset.shutdown)) {
    const point = document.createElement("a");
    const models = list.map(({ dataset }) => dataset.model).join(", ");
    point.href = `#${list[0].id}`;
    point.className = day < today ? "point past" : "point";
    point.style.left = position(day);
    point.textContent = list.length > 1 ? list.length : "";
    point.title = `${day}, ${distance(today, day)}: ${models}`;
    // It begins with the visible number, by which people who speak to the page name the link.
    point.setAttribute(
      "aria-label",
      `${list.length > 1 ? `${list.length} models, ` : ""}${label}, ${point.title}`,
    );
    track.append(point);
  }
  row.append(name, track);
  return row;
}

function mark(className, left) {
  const line = element("span", className);
  line.style.left = left;
  return line;
}

function element(name, className) {
  const made = document.createElement(name);
  made.className = className;
  return made;
}

/** The first day of the month that is `months` after the month of a day. */
function monthStart(day, months) {
  const [year, month] = day.split("-").map(Number);
  return new Date(Date.UTC(year, month - 1 + months, 1)).toISOString().slice(0, 10);
}
