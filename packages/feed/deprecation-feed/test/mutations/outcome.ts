import { tailOf } from "../../src/collection/page-end.ts";
import { judgePage } from "../../src/collection/read-provider.ts";
import { updateNotices } from "../../src/collection/update-notices.ts";
import type { PageBefore } from "../../src/collection/why-refused.ts";
import { linesOf, readPage } from "../../src/extraction/page.ts";
import { type RolledNotice, rollUp } from "../../src/extraction/roll-up.ts";
import type { Provider } from "../../src/notice/notice.ts";
import type { Ends, Mutation } from "./mutation.ts";

/**
 * `right`: published with the page's facts; `noticed`: held back with a reason; `silent`: wrong, and published as
 * fresh; `none`: the mutation does not change the page.
 */
export type Outcome =
  | { readonly kind: "right" | "none" }
  | { readonly kind: "noticed"; readonly reason: string }
  | { readonly kind: "silent"; readonly what: string };

/** The outcome for a page that is mutated after a good run. */
export function outcomeOf(provider: Provider, html: string, mutation: Mutation): Outcome {
  const mutated = mutation.mutate(html);
  if (mutated === html) return { kind: "none" };
  const validators = { etag: null, last_modified: null };
  const before = pageBefore(provider, html);
  const lines = readPage(mutated).sections.flatMap(linesOf);
  const reading = judgePage(
    mutated,
    { notices: provider.extract(mutated), lines },
    before,
    validators,
  );
  if (reading.kind === "refused") return { kind: "noticed", reason: reading.reason };
  const truth = mutation.truth?.(endsOf(before.listed), mutated) ?? endsOf(before.listed);
  const what = difference(truth, endsOf(rollUp(reading.rows)));
  return what === null ? { kind: "right" } : { kind: "silent", what };
}

let last: { readonly html: string; readonly before: PageBefore } | null = null;

/** The state after a first, good run; the mutations of a page start from it one after the other. */
function pageBefore(provider: Provider, html: string): PageBefore {
  if (last?.html === html) return last.before;
  const time = { now: "2026-08-20T02:00:00.000Z", lastSeen: "" };
  const listed = updateNotices(provider, [], provider.extract(html), time).notices;
  last = { html, before: { listed, recentlyChanged: new Set(), tail: tailOf(html) } };
  return last.before;
}

const endsOf = (notices: readonly RolledNotice[]): Ends =>
  new Map(
    notices.map(({ model_id, deprecation_date, shutdown_date }) => [
      model_id,
      { deprecation_date, shutdown_date },
    ]),
  );

function difference(truth: Ends, found: Ends): string | null {
  for (const [id, end] of truth) {
    const other = found.get(id);
    if (other === undefined) return `${id} is missing`;
    for (const field of ["deprecation_date", "shutdown_date"] as const)
      if (other[field] !== end[field])
        return `${id}: ${field} is "${other[field]}", not "${end[field]}"`;
  }
  const invented = [...found.keys()].find((id) => !truth.has(id));
  return invented === undefined ? null : `${invented} is not a model of the page`;
}
