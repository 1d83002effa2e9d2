import { hash } from "node:crypto";
import { isKnown } from "@proj/page-kit";
import { type Context, type Reply, reply } from "@proj/resource-router";

/**
 * An answer of JSON, as text or as bytes, or 304 where the caller has it.
 * @param kept its `Cache-Control`
 * @param version the same only where the body is; a short one is hashed faster. @default the body
 */
export function freshReply(
  { headers: asked }: Pick<Context, "headers">,
  kept: string,
  body: string | Uint8Array,
  headers: Readonly<Record<string, string>> = {},
  version: string | Uint8Array = body,
): Reply {
  const etag = etagOf(version);
  const fields = { ...headers, etag, "cache-control": kept };
  if (isKnown(asked["if-none-match"], etag)) return reply(304, undefined, fields);
  return reply(200, typeof body === "string" ? Buffer.from(body) : body, {
    ...fields,
    "content-type": "application/json",
  });
}

/** Of what the bytes are: the ids of snapshots are not unique where a database was replaced by another. */
export const etagOf = (body: string | Uint8Array): string =>
  `"${hash("sha256", body, "base64url").slice(0, 27)}"`;
