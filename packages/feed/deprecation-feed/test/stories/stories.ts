import { anthropicForm, type Form, groqForm, openAiForm, type Row } from "./pages.ts";

/** Ordinary news: what a page has, week by week, and the ends that a reader of the last one knows. */
export interface Story {
  readonly name: string;
  readonly form: Form;
  readonly weeks: readonly (readonly Row[])[];
  /** By model; empty: no date. */
  readonly ends: Readonly<Record<string, string>>;
}

const row = (number: number, facts: Partial<Row> = {}): Row => ({
  id: `nova-${number}`,
  end: `2027-0${(number % 9) + 1}-15`,
  announced: "2026-03-02",
  ...facts,
});
const ten: readonly Row[] = Array.from({ length: 10 }, (_, index) => row(index + 1));
const more = (from: number, count: number, facts: Partial<Row> = {}): readonly Row[] =>
  Array.from({ length: count }, (_, index) => row(from + index, facts));
const with_ = (rows: readonly Row[], count: number, facts: Partial<Row>): readonly Row[] =>
  rows.map((one, index) => (index < count ? { ...one, ...facts } : one));
const floors = with_(ten, 10, {
  end: "Not sooner than March 1, 2027",
  state: "Active",
  announced: "N/A",
});
const announced = "2026-09-08";

/** A piece of news that pages of any form can have. */
const news = (
  name: string,
  ends: Story["ends"],
  ...weeks: readonly (readonly Row[])[]
): readonly Story[] =>
  [openAiForm, groqForm].map((form) => ({
    name: `${name} (${form.provider.label})`,
    form,
    weeks,
    ends,
  }));

const state = (
  name: string,
  ends: Story["ends"],
  ...weeks: readonly (readonly Row[])[]
): Story => ({
  name,
  form: anthropicForm,
  weeks,
  ends,
});

export const stories: readonly Story[] = [
  ...news("one model is announced", { "nova-11": "2027-04-01" }, ten, [
    ...ten,
    row(11, { end: "2027-04-01", announced }),
  ]),
  ...news("six models are announced on a page of ten", { "nova-16": "2027-04-01" }, ten, [
    ...ten,
    ...more(11, 6, { end: "2027-04-01", announced }),
  ]),
  ...news(
    "forty-eight models are announced on a page of seventy-two",
    { "nova-120": "2027-04-01" },
    more(1, 72),
    [...more(1, 72), ...more(73, 48, { end: "2027-04-01", announced })],
  ),
  ...news(
    "a date moves",
    { "nova-1": "2027-11-30" },
    ten,
    with_(ten, 1, { end: "November 30, 2027" }),
  ),
  ...news(
    "a date is extended, with the old one beside it",
    { "nova-1": "2027-11-30" },
    ten,
    with_(ten, 1, { end: "~~2027-02-15~~ 2027-11-30" }),
  ),
  ...news(
    "all dates move by a month",
    { "nova-9": "2027-11-30" },
    ten,
    with_(ten, 10, { end: "2027-11-30" }),
  ),
  ...news(
    "three replacements change, and two weeks later a model is announced",
    { "nova-11": "2027-04-01" },
    ten,
    with_(ten, 3, { replacement: "next-2" }),
    with_(ten, 3, { replacement: "next-2" }),
    [...with_(ten, 3, { replacement: "next-2" }), row(11, { end: "2027-04-01", announced })],
  ),
  ...news(
    "all replacements change",
    { "nova-1": "2027-02-15" },
    ten,
    with_(ten, 10, { replacement: "next-2" }),
  ),
  ...news(
    "three models reach their day, and a week later a date moves",
    { "nova-5": "2027-11-30" },
    with_(ten, 3, { end: "2026-09-12" }),
    with_(ten, 3, { end: "2026-09-12" }),
    with_(ten, 3, { end: "2026-09-12" }).map((one) =>
      one.id === "nova-5" ? { ...one, end: "2027-11-30" } : one,
    ),
  ),
  ...news(
    "a retirement is taken back",
    { "nova-1": "" },
    ten,
    with_(ten, 1, { end: "No longer planned (was 2027-02-15)" }),
  ),
  ...news(
    "a model that has ended leaves the page",
    { "nova-2": "2027-03-15" },
    with_(ten, 1, { end: "2026-08-01" }),
    ten.slice(1),
  ),
  ...news("a model is withdrawn from the page", { "nova-2": "2027-03-15" }, ten, ten.slice(1)),
  ...news(
    "a model is announced twice, and the newer announcement counts",
    { "nova-1": "2027-12-01" },
    ten,
    [...ten, row(1, { end: "2027-12-01", announced })],
  ),
  ...news("a model is announced without a date yet", { "nova-11": "" }, ten, [
    ...ten,
    row(11, { end: "TBD", announced }),
  ]),
  state(
    "a model that was active is deprecated",
    { "nova-1": "2027-05-04" },
    floors,
    with_(floors, 1, { state: "Deprecated", announced: "September 8, 2026", end: "May 4, 2027" }),
  ),
  state(
    "three of ten active models are deprecated at once",
    { "nova-3": "2027-05-04" },
    floors,
    with_(floors, 3, { state: "Deprecated", announced: "September 8, 2026", end: "May 4, 2027" }),
  ),
  state(
    "all active models are deprecated",
    { "nova-9": "2027-05-04" },
    floors,
    with_(floors, 10, { state: "Deprecated", announced: "September 8, 2026", end: "May 4, 2027" }),
  ),
  state(
    "a floor moves",
    { "nova-1": "" },
    floors,
    with_(floors, 1, { end: "Not sooner than June 1, 2027" }),
  ),
  state("a new active model", { "nova-11": "" }, floors, [
    ...floors,
    row(11, { state: "Active", announced: "N/A", end: "Not sooner than May 1, 2028" }),
  ]),
  state(
    "a deprecated model is retired on its day",
    { "nova-1": "2026-09-12" },
    with_(ten, 1, { end: "September 12, 2026" }),
    with_(ten, 1, { end: "September 12, 2026", state: "Retired" }),
  ),
  state(
    "a retired model leaves the table of states",
    { "nova-2": "2027-03-15" },
    with_(ten, 1, { end: "September 1, 2026", state: "Retired" }),
    ten.slice(1),
  ),
  state(
    "a retirement is postponed",
    { "nova-1": "2027-11-30" },
    ten,
    with_(ten, 1, { end: "Postponed to November 30, 2027" }),
  ),
  state(
    "the states of three models change",
    { "nova-1": "2027-02-15" },
    ten,
    with_(ten, 3, { state: "Legacy" }),
  ),
  state(
    "a model loses its date to a floor",
    { "nova-1": "" },
    ten,
    with_(ten, 1, { end: "Not sooner than June 1, 2028" }),
  ),
  state(
    "two models are announced, then two more",
    { "nova-14": "2027-05-04" },
    floors,
    [...floors, ...more(11, 2, { end: "May 4, 2027" })],
    [...floors, ...more(11, 4, { end: "May 4, 2027" })],
  ),
  state(
    "a page of two models gets a third",
    { "nova-3": "2027-04-15" },
    ten.slice(0, 2),
    ten.slice(0, 3),
  ),
];
