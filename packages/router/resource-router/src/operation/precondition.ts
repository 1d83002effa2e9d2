import { entityTag, hasStrongTag, hasTag } from "../answer/entity-tag.ts";
import { Problem } from "../answer/problem.ts";
import type { Context } from "./context.ts";

/**
 * Refuses an operation whose caller knows another version of the item, or assumes that there is none (RFC 9110,
 * section 13.1). Requests without `If-Match` and `If-None-Match` pass. Call it inside the transaction that writes, or
 * another caller may write in between.
 * @param version the item's current version, as for `entityTag`; null: there is no such item
 * @throws Problem 412
 */
export function requireVersion(
  { headers }: Pick<Context, "headers">,
  version: string | number | null,
): void {
  const { "if-match": match, "if-none-match": noneMatch } = headers;
  if (match === undefined && noneMatch === undefined) return;
  const tag = version === null ? null : entityTag(version);
  if (match !== undefined && (tag === null || !hasStrongTag(match, tag)))
    throw refusal(tag, "The item is not the version that 'If-Match' names.");
  if (noneMatch !== undefined && tag !== null && hasTag(noneMatch, tag))
    throw refusal(tag, "The item is a version that 'If-None-Match' names.");
}

function refusal(tag: string | null, detail: string): Problem {
  const headers: Record<string, string> = tag === null ? {} : { etag: tag };
  return new Problem(412, detail, { headers });
}
