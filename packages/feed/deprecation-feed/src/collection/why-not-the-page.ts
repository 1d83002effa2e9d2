import { looksLikeModelId } from "../extraction/model-ids.ts";
import { PageLines } from "./named-models.ts";
import type { PageBefore, PageNow } from "./page-states.ts";

/** Fewer of its models are left on a page that has become another page. */
const leastLeft = 0.5;

/** Why a text is not the provider's list of models, but a login, an error or another page; null if it can be. */
export function whyNotThePage(
  { listed }: PageBefore,
  now: PageNow,
  mayBeEmpty: boolean,
): string | null {
  const [first] = now.listed;
  if (first === undefined && !mayBeEmpty) return "the page has no notices";
  if (first !== undefined && now.listed.every(({ model_id }) => !looksLikeModelId(model_id)))
    return `the page has prose where model ids were: "${first.model_id.slice(0, 80)}"`;
  const found = new Set(now.listed.map(({ model_id }) => model_id));
  const gone = listed.filter(({ model_id }) => !found.has(model_id));
  if (gone.length <= listed.length * leastLeft) return null;
  const lines = new PageLines(now.lines);
  const unnamed = gone.filter(({ model_id }) => lines.naming(model_id, []) === null);
  if (unnamed.length <= listed.length * leastLeft) return null;
  return `of ${listed.length} models ${gone.length} are missing: it may be another page`;
}
