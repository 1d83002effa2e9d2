import { hash } from "node:crypto";
import { type Context, type Reply, reply } from "@proj/resource-router";

/**
 * An answer of JSON, as text or as bytes, that may be kept, or 304 where the caller has it.
 * @param maxAge seconds until it is to be asked about again
 * @param version the same only where the body is; a short one is hashed faster. @default the body
 */
export function freshReply(
  { headers: asked }: Pick<Context, "headers">,
  maxAge: number,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  version: string | Uint8Array = body,
): Reply {
  const etag = etagOf(version);
  const fields = { ...headers, etag, "cache-control": `public, max-age=${maxAge}` };
  if (isKnown(asked["if-none-match"], etag)) return reply(304, undefined, fields);
  return reply(200, typeof body === "string" ? Buffer.from(body) : body, {
    ...fields,
    "content-type": "application/json",
  });
}

/** Of what the bytes are: the ids of snapshots are not unique where a database was replaced by another. */
export const etagOf = (body: string | Uint8Array): string =>
  `"${hash("sha256", body, "base64url").slice(0, 27)}"`;

/** RFC 9110, section 13.1.2, with the weak comparison of section 8.8.3.2: caches on the way may weaken tags. */
export function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const tags = header.split(",").map((tag) => tag.trim().replace(/^W\//, ""));
  return tags.includes(etag) || header.trim() === "*";
}
