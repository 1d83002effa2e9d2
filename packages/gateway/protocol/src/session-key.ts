import { createHmac, type KeyObject, timingSafeEqual } from "node:crypto";

/** The prefix of every session key. */
export const sessionKeyPrefix: string = "sess_";

/**
 * What a session key may be used for, in its signed part; a missing limit means whatever the session allows.
 */
export interface SessionKeyScope {
  /** The route keys that it may use. */
  readonly models?: readonly string[];
  /** Expiry, in whole seconds since the epoch. */
  readonly expires_at?: number;
  /** Steps of the session with each model; the gateway's own `max_steps` applies as well. */
  readonly max_steps?: number;
  /** Requests per second of the session; as many may come at once, and at least one. */
  readonly requests_per_second?: number;
}

/** A scope as contained in a key. */
export interface SignedScope extends SessionKeyScope {
  /**
   * Whole seconds since the epoch: any later close ends the key, even after the session was cleaned. A key
   * without a scope has no such time, and opens its session again after a clean.
   */
  readonly issued_at?: number;
}

/**
 * The key that opens one session's model endpoints and nothing else: `sess_` and the base64url of
 * HMAC-SHA256(secret, session id). With a scope: `sess_`, the base64url of its JSON, a dot, and that of
 * HMAC-SHA256(secret, session id, line feed, the part before the dot).
 * @param secret `auth.session_secret`; passing a KeyObject made from it once saves some work
 */
export function sessionKey(
  secret: string | KeyObject,
  session_id: string,
  scope?: SessionKeyScope,
): string {
  if (scope === undefined) return sessionKeyPrefix + sign(secret, session_id).toString("base64url");
  const signed: SignedScope = { ...scope, issued_at: Math.floor(Date.now() / 1_000) };
  const payload = Buffer.from(JSON.stringify(signed)).toString("base64url");
  const signature = sign(secret, scopedText(session_id, payload));
  return `${sessionKeyPrefix}${payload}.${signature.toString("base64url")}`;
}

/**
 * The scope of a key that was made for the session with one of the secrets, even if it has expired: `{}` for
 * a key without one; null if it is not such a key. Takes the same time for every wrong signature.
 */
export function readSessionKey(
  secrets: readonly (string | KeyObject)[],
  session_id: string,
  key: string,
): SignedScope | null {
  if (!key.startsWith(sessionKeyPrefix)) return null;
  const rest = key.slice(sessionKeyPrefix.length);
  const dot = rest.indexOf(".");
  const payload = dot < 0 ? null : rest.slice(0, dot);
  const text = payload === null ? session_id : scopedText(session_id, payload);
  const given = rest.slice(dot + 1);
  const matches = secrets.map((secret) => isEqual(given, sign(secret, text)));
  if (!matches.includes(true)) return null;
  return payload === null ? {} : parseScope(payload);
}

function isEqual(given: string, signature: Buffer): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(signature.toString("base64url"))];
  return one.length === other.length && timingSafeEqual(one, other);
}

/** Only a holder of the secret can have written it, though perhaps not with this library. */
function parseScope(payload: string): SignedScope | null {
  try {
    const scope: unknown = JSON.parse(Buffer.from(payload, "base64url").toString());
    return isSignedScope(scope) ? scope : null;
  } catch {
    return null;
  }
}

const limits = ["expires_at", "max_steps", "requests_per_second", "issued_at"] as const;

function isSignedScope(scope: unknown): scope is SignedScope {
  if (typeof scope !== "object" || scope === null || !("issued_at" in scope)) return false;
  for (const name of limits) {
    const value: unknown = Reflect.get(scope, name);
    if (value !== undefined && !(typeof value === "number" && value >= 0)) return false;
  }
  const models: unknown = Reflect.get(scope, "models");
  const isList = Array.isArray(models) && models.every((model) => typeof model === "string");
  return models === undefined || isList;
}

const sign = (secret: string | KeyObject, text: string): Buffer =>
  createHmac("sha256", secret).update(text).digest();

/** Never equals a session id, which has no line feed: a scope cannot be stripped from a key. */
const scopedText = (session_id: string, payload: string): string => `${session_id}\n${payload}`;
