import { createHmac, type KeyObject } from "node:crypto";

/** What every session key begins with. */
export const sessionKeyPrefix: string = "sess_";

/**
 * The key that opens one session's model endpoints and nothing else: `sess_` and the base64url of
 * HMAC-SHA256(secret, session id). Compare it in constant time.
 * @param secret `auth.session_secret`; a KeyObject made of it once saves a part of the work
 */
export function sessionKey(secret: string | KeyObject, session_id: string): string {
  return sessionKeyPrefix + createHmac("sha256", secret).update(session_id).digest("base64url");
}
