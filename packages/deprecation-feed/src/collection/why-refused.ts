import { looksLikeModelId } from "../extraction/model-ids.ts";
import type { Notice } from "../notice.ts";

/** Of the models of the last good run, this part has to be there again. */
const leastPart = 0.5;

/**
 * Why what was read from a page cannot be what the provider says: a page half loaded, a login page,
 * a table that the extractor no longer understands. Null where nothing speaks against it.
 * @param modelsBefore models of the last good run; 0 accepts any number
 */
export function whyRefused(notices: readonly Notice[], modelsBefore: number): string | null {
  if (notices.length === 0) return "the page has no notices";
  const ids = new Set(notices.map(({ model_id }) => model_id));
  const prose = [...ids].find((id) => !looksLikeModelId(id));
  if (prose !== undefined)
    return `the page has prose where model ids were: "${prose.slice(0, 80)}"`;
  if (ids.size >= modelsBefore * leastPart) return null;
  return `the page has ${ids.size} models, far fewer than the ${modelsBefore} of the last good run`;
}
