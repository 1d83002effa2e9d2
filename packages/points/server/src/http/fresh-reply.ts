import { hash } from "node:crypto";
import { isKnown } from "@proj/program/page";
import { type Context, type Reply, reply } from "@proj/resource-router";

/**
 * A JSON answer, as text or bytes; 304 if the caller already has it.
 * @param kept its `Cache-Control`
 * @param version equal only for equal bodies; a short one is hashed faster. @default the body
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

/** Made from the bytes: ids of snapshots are not unique when a database was replaced by another. */
export const etagOf = (body: string | Uint8Array): string =>
  `"${hash("sha256", body, "base64url").slice(0, 27)}"`;
