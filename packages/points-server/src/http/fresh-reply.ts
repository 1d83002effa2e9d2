import { hash } from "node:crypto";
import { type Context, type Reply, reply } from "@proj/resource-router";

/**
 * An answer of JSON text that may be kept, or 304 where the caller has it.
 * @param maxAge seconds until it is to be asked about again
 */
export function freshReply(
  { headers: asked }: Pick<Context, "headers">,
  maxAge: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const bytes = Buffer.from(body);
  const etag = etagOf(bytes);
  const fields = { ...headers, etag, "cache-control": `public, max-age=${maxAge}` };
  if (isKnown(asked["if-none-match"], etag)) return reply(304, undefined, fields);
  return reply(200, bytes, { ...fields, "content-type": "application/json" });
}

/** Of the bytes: the ids of snapshots are not unique where a database was replaced by another. */
export const etagOf = (body: string | Uint8Array): string =>
  `"${hash("sha256", body, "base64url").slice(0, 27)}"`;

/** RFC 9110, section 13.1.2, with the weak comparison of section 8.8.3.2: caches on the way may weaken tags. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || header.trim() === "*";
}
