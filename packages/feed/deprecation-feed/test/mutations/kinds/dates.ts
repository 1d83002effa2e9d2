import { parse } from "parse5";
import {
  inEnglish,
  type Mutation,
  modelTables,
  partsOf,
  rewriteDays,
  wordsIn,
} from "../mutation.ts";

const dates = (name: string, mutate: Mutation["mutate"], truth?: Mutation["truth"]): Mutation => ({
  group: "dates",
  name,
  mutate,
  ...(truth === undefined ? {} : { truth }),
});
const newDay = "2028-02-29";
const onFirstDay = (write: (day: string) => string) =>
  rewriteDays((day, index) => (index === 0 ? write(day) : null));
/** The page gives another day for the model of the first date; the row says which model. */
const firstDayMoved: Mutation["truth"] = (ends, mutated) => {
  const row = modelTables(parse(mutated))
    .flatMap(({ rows }) => rows)
    .find((found) => wordsIn(found).includes("29"));
  const words = row === undefined ? "" : wordsIn(row);
  const named = [...ends.keys()].filter((id) =>
    new RegExp(`(?<![\\w.-])${id.replace(/[.+()]/g, "\\$&")}(?![\\w-])`).test(words),
  );
  return new Map(
    [...ends].map(([id, end]) => [
      id,
      named.includes(id) ? { ...end, shutdown_date: newDay } : end,
    ]),
  );
};
export const dateMutations: readonly Mutation[] = [
  dates(
    "ISO",
    rewriteDays((day) => day),
  ),
  dates(
    "23 October 2026",
    rewriteDays((day) => inEnglish(day, { dateStyle: "long" })),
  ),
  dates(
    "Friday, 23 October 2026",
    rewriteDays((day) => inEnglish(day, { dateStyle: "full" })),
  ),
  dates(
    "23.10.2026",
    rewriteDays((day) => partsOf(day).toReversed().join(".")),
  ),
  dates(
    "23/10/2026",
    rewriteDays((day) => partsOf(day).toReversed().join("/")),
  ),
  dates(
    "10/23/2026",
    rewriteDays((day) => {
      const [year, month, date] = partsOf(day);
      return `${month}/${date}/${year}`;
    }),
  ),
  dates(
    "20261023",
    rewriteDays((day) => day.replaceAll("-", "")),
  ),
  dates(
    "2026年10月23日",
    rewriteDays((day) => {
      const [year, month, date] = partsOf(day);
      return `${year}年${month}月${date}日`;
    }),
  ),
  dates(
    "a month only",
    rewriteDays((day) => inEnglish(day, { month: "long", year: "numeric" })),
  ),
  dates(
    "Q4 2026",
    rewriteDays((day) => {
      const [year, month] = partsOf(day);
      return `Q${Math.ceil(month / 3)} ${year}`;
    }),
  ),
  dates(
    "time elements with relative words",
    rewriteDays((day) => `<time datetime="${day}">in 3 months</time>`),
  ),
  dates(
    "time elements with ambiguous words",
    rewriteDays((day) => {
      const [year, month, date] = partsOf(day);
      return `<time datetime="${day}T00:00:00Z">${date}/${month}/${year % 100}</time>`;
    }),
  ),
  dates(
    "relative words",
    rewriteDays(() => "in 3 months"),
  ),
  dates(
    "the first is extended",
    onFirstDay((day) => `${inEnglish(day, { dateStyle: "long" })}, extended to 29 February 2028`),
    firstDayMoved,
  ),
  dates(
    "the first is postponed",
    onFirstDay((day) => `${day} (postponed until February 29, 2028)`),
    firstDayMoved,
  ),
  dates(
    "the first is struck out",
    onFirstDay((day) => `<del>${day}</del> 2028-02-29`),
    firstDayMoved,
  ),
  dates(
    "the first has moved",
    onFirstDay(() => "29 February 2028"),
    firstDayMoved,
  ),
  dates(
    "the first at another time zone",
    onFirstDay((day) => `${day}T23:59:00-08:00`),
  ),
];
