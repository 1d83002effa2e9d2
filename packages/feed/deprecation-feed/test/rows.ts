import type { Notice } from "@proj/deprecation-feed";
import { unknownFacts } from "../src/extraction/new-notice.ts";

/** A row of a page about one model; omitted members are empty. */
export function row(model_id: string, facts: Partial<Notice> = {}): Notice {
  const notice = { model_id, aliases: [], anchor: "", ...unknownFacts, ...facts };
  return { ...notice, source_text: `${model_id} ${JSON.stringify(facts)}` };
}
