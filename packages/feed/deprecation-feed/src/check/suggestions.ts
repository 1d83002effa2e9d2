import { distance } from "fastest-levenshtein";
import type { ReadItem } from "../consumer/parse-feed.ts";
import { canonicalName, formsOf } from "../notice/model-names.ts";

const maxSuggested = 3;
/** Longer names are not typing errors, and a comparison takes time proportional to both lengths. */
const maxName = 120;

/** Ids in a feed that an unknown name may have meant: snapshots of it, and ids that differ by a letter or two. */
export function suggestModels(
  name: string,
  feed: { readonly items: readonly ReadItem[] },
): readonly string[] {
  const wanted = [...formsOf(name)]
    .filter((form) => form.length >= 4 && form.length <= maxName)
    .map(canonicalName);
  const ids = new Set(
    feed.items.flatMap(({ _deprecation: { model_id, aliases } }) => [model_id, ...aliases]),
  );
  ids.delete("");
  const rated = [...ids].flatMap((id) => {
    const key = canonicalName(id);
    const isSnapshot = wanted.some(
      (form) => key.startsWith(`${form}-`) && /^\d{4}/.test(key.slice(form.length + 1)),
    );
    const edits = Math.min(...wanted.map((form) => distance(plain(form), plain(key))));
    const most = Math.min(3, Math.floor(plain(key).length / 4));
    return isSnapshot || edits <= most ? [{ id, rank: isSnapshot ? 0 : edits + 1 }] : [];
  });
  return rated
    .sort((a, b) => a.rank - b.rank)
    .slice(0, maxSuggested)
    .map(({ id }) => id);
}

const plain = (name: string): string => name.replace(/[-_/ ]/g, "");
