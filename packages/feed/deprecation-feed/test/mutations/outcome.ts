import type { KnownNotice } from "../../src/collection/catalogue.ts";
import { modelStatus } from "../../src/collection/model-status.ts";
import { tailOf } from "../../src/collection/page-end.ts";
import type { PageBefore } from "../../src/collection/page-states.ts";
import { judgePage } from "../../src/collection/read-provider.ts";
import { updateNotices } from "../../src/collection/update-notices.ts";
import { linesOf, readPage } from "../../src/extraction/page.ts";
import type { RolledNotice } from "../../src/extraction/roll-up.ts";
import { unreadLines } from "../../src/extraction/unread.ts";
import type { Notice, Provider } from "../../src/notice/notice.ts";
import { type End, type Ends, type Mutation, today, unclear } from "./mutation.ts";

/**
 * `right`: published with the page's facts; `noticed`: what is missing is held or reported as unread; `silent`: wrong or
 * missing without a word; `none`: the mutation does not change the page.
 */
export type Outcome =
  | { readonly kind: "right" | "none" }
  | { readonly kind: "noticed"; readonly reason: string }
  | { readonly kind: "silent"; readonly what: string };

/** `next`: the page is mutated after a good run; `first`: nothing is known of it. */
export type RunKind = "next" | "first";

const unknown: PageBefore = { listed: [], recentlyGone: new Set(), tail: "" };

export function outcomeOf(
  provider: Provider,
  html: string,
  mutation: Mutation,
  run: RunKind = "next",
): Outcome {
  const known = pageBefore(provider, html);
  const mutated = mutation.mutate(html, endsOf(known.listed));
  if (mutated === html || (run === "first" && mutation.isKnowable === false))
    return { kind: "none" };
  const before = run === "next" ? known : unknown;
  const notices = provider.extract(mutated);
  const page = readPage(mutated);
  const unread = unreadLines(page, notices);
  const lines = page.sections.flatMap(linesOf);
  const marks = { etag: null, last_modified: null, tail: tailOf(mutated) };
  const judging = { today, isAccepted: () => false };
  const reading = judgePage(mutated, { notices, lines, unread }, before, marks, judging);
  if (reading.kind === "refused") return { kind: "noticed", reason: reading.reason };
  const facts = mutation.truth?.(endsOf(known.listed), html) ?? endsOf(known.listed);
  // Nobody can know on a first run what an earlier page had.
  const truth = run === "next" ? facts : new Map([...facts].filter(([id]) => isNamed(id, lines)));
  const reported = [
    ...reading.held.map(({ model_id }) => model_id),
    ...reading.unread.map(({ words }) => words),
  ];
  const names = new Map(known.listed.map((notice) => [notice.model_id, namesOf(notice)]));
  const isReported = (id: string): boolean =>
    [id, ...(names.get(id) ?? [])].some((name) => isNamed(name, reported));
  /** On a first run, a model may have the name that the page now has for it. */
  const isSame = (name: string, id: string): boolean =>
    run === "first" &&
    [id, ...(names.get(id) ?? [])].some(
      (one) =>
        lettersOf(one) === lettersOf(name) ||
        (name.includes(" ") && lettersOf(one).startsWith(lettersOf(name))),
    );
  const what = difference(
    truth,
    endsOf(known.listed),
    published(provider, run === "next" ? known.listed : [], reading.rows),
    isReported,
    isSame,
  );
  if (what === null) return { kind: "right" };
  return what.isReported
    ? { kind: "noticed", reason: what.words }
    : { kind: "silent", what: what.words };
}

type KnownPage = PageBefore & { readonly listed: readonly KnownNotice[] };
let last: { readonly html: string; readonly before: KnownPage } | null = null;

/** The state after a first, good run; the mutations of a page start from it one after the other. */
function pageBefore(provider: Provider, html: string): KnownPage {
  if (last?.html === html) return last.before;
  const time = { now: "2026-08-20T02:00:00.000Z", lastSeen: "" };
  const listed = updateNotices(provider, [], provider.extract(html), time).notices;
  last = { html, before: { listed, recentlyGone: new Set(), tail: tailOf(html) } };
  return last.before;
}

/**
 * The ends that the feed gives after a run. A model that leaves its page before its end is given as withdrawn; one that
 * had ended stays in the feed, with its day.
 */
function published(
  provider: Provider,
  known: readonly KnownNotice[],
  rows: readonly Notice[],
): Ends {
  const time = { now: `${today}T02:00:00.000Z`, lastSeen: "2026-08-20" };
  const { notices } = updateNotices(provider, known, rows, time);
  return endsOf(
    notices.filter(
      (notice) => notice.last_observed === "" || modelStatus(notice, today) === "shutdown",
    ),
  );
}

const endsOf = (notices: readonly RolledNotice[]): Ends =>
  new Map(
    notices.map(({ model_id, deprecation_date, shutdown_date }) => [
      model_id,
      { deprecation_date, shutdown_date },
    ]),
  );

const isNamed = (id: string, texts: readonly string[]): boolean =>
  texts.some((text) => lettersOf(text).includes(lettersOf(id)));

interface Difference {
  readonly words: string;
  readonly isReported: boolean;
}

/** A model's name in its row, if the row has no id: the id may be in a link. */
const namesOf = ({ rows }: RolledNotice): readonly string[] =>
  rows.flatMap(({ source_text }) =>
    [
      ...source_text.matchAll(
        /(?:^|\| |\n)(?![^:|\n]*(?:replac|substit|altern|target))[^:|\n]*(?:model|name)[^:|\n]*: ([^|\n]+)/gi,
      ),
    ].map(([, name = ""]) => name.trim()),
  );

/** The first difference that nothing reports, or else any. An invented model or a wrong date cannot be excused. */
function difference(
  truth: Ends,
  known: Ends,
  found: Ends,
  isReported: (id: string) => boolean,
  isSame: (name: string, id: string) => boolean,
): Difference | null {
  const differences: Difference[] = [];
  const add = (id: string, words: string, isExcused = isReported(id)): void =>
    void differences.push({ words: `${id}${words}`, isReported: isExcused });
  for (const [id, end] of truth) {
    const other = found.get(id) ?? maxName(found, (name) => isSame(name, id));
    if (other === undefined) {
      if (end.shutdown_date !== unclear) add(id, " is missing");
      continue;
    }
    for (const field of ["deprecation_date", "shutdown_date"] as const) {
      const allowed = end[field] === unclear ? ["", known.get(id)?.[field]] : [end[field]];
      if (allowed.includes(other[field])) continue;
      add(id, `: ${field} is "${other[field]}", not "${end[field]}"`);
    }
  }
  for (const id of found.keys())
    if (![...known.keys(), ...truth.keys()].some((one) => one === id || isSame(id, one)))
      add(id, " is not a model of the page", false);
  return differences.find((one) => !one.isReported) ?? differences[0] ?? null;
}

const lettersOf = (id: string): string => id.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

/** The end of the longest name of a model. */
const maxName = (ends: Ends, isMeant: (name: string) => boolean): End | undefined =>
  [...ends].filter(([name]) => isMeant(name)).sort(([a], [b]) => b.length - a.length)[0]?.[1];
