import { rollUp } from "../../src/extraction/roll-up.ts";
import type { Notice } from "../../src/notice/notice.ts";

/** A notice without its source text; empty members are left out. */
export type Facts = Partial<Omit<Notice, "anchor" | "source_text">>;

/** One per model, by id. */
export function factsOf(notices: readonly Notice[]): readonly Facts[] {
  return rollUp(notices).map((notice) => {
    const { model_id, aliases, announcement_date, deprecation_date, shutdown_date } = notice;
    const { shutdown_text, replacement_models, regions } = notice;
    const dates = { announcement_date, deprecation_date, shutdown_date, shutdown_text };
    const facts = { model_id, aliases, ...dates, replacement_models, regions };
    return Object.fromEntries(Object.entries(facts).filter(([, value]) => value.length > 0));
  });
}
