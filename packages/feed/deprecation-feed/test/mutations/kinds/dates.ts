import { inEnglish, type Mutation, partsOf, rewriteDays, withoutShutdowns } from "../mutation.ts";

const dates = (
  name: string,
  mutate: Mutation["mutate"],
  truth: Mutation["truth"] = (ends) => ends,
): Mutation => ({ group: "dates", name, mutate, truth });
const onFirstDay = (write: (day: string) => string) =>
  rewriteDays((day, index) => (index === 0 ? write(day) : null));
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
    withoutShutdowns,
  ),
  dates(
    "Q4 2026",
    rewriteDays((day) => {
      const [year, month] = partsOf(day);
      return `Q${Math.ceil(month / 3)} ${year}`;
    }),
    withoutShutdowns,
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
    withoutShutdowns,
  ),
  dates(
    "the first at another time zone",
    onFirstDay((day) => `${day}T23:59:00-08:00`),
  ),
];
