import { parseMeta, withMeta } from "./meta-json.ts";

/** Members of `meta_json` that programs other than the gateway write: an amendment keeps them. */
const keptMembers = ["renumbered_from", "capture_error", "eval"] as const;

/** Longer metadata may itself be what the database refused. */
const keptMetaLength = 1024 * 1024;

export function amendedMeta(stored: string, amendment: string): string {
  const before = parseMeta(stored) ?? {};
  const after = parseMeta(amendment) ?? {};
  const kept = keptMembers.filter((key) => key in before && !(key in after));
  const members = Object.fromEntries(kept.map((key) => [key, before[key]]));
  return kept.length === 0 ? amendment : withMeta(amendment, members);
}

/** For a row that is stored without its payload because the database refused it with the payload. */
export function metaWithoutPayload(meta_json: string, refusal: Error): string {
  const capture_error = `the database refused the payload: ${refusal.message}`;
  return withMeta(meta_json.length > keptMetaLength ? "{}" : meta_json, { capture_error });
}

/** For a row that is stored without its messages because the row that they build on is gone. */
export const metaWithoutHistory = (meta_json: string): string =>
  withMeta(meta_json, {
    capture_error: "the row that its messages build on is no longer in the database",
  });

/** Whether the row with this `meta_json` was stored without its payload. */
export function isWithoutPayload(meta_json: string): boolean {
  return parseMeta(meta_json)?.capture_error !== undefined;
}
