import { createHash, createSecretKey, type KeyObject, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { type AuthConfig, readSessionKey, type SignedScope } from "@proj/gateway-protocol";
import { keyHeaders } from "@proj/model-apis/names";
import { GatewayError } from "../errors/gateway-error.ts";

/** The caller; `name` is the key's name, if it has one. */
export interface Caller {
  readonly name: string | null;
  /** What the caller's session key may be used for; null if it used another key, or needs none. */
  readonly scope: SignedScope | null;
}

/** The session whose own key opens the endpoint; null if session keys do not open it. */
export type SessionScope = string | null;

/** Decides which callers are served. */
export class AccessControl {
  readonly #keys: readonly { readonly name: string | null; readonly digest: Buffer }[];
  readonly #secrets: readonly KeyObject[];

  constructor(auth: AuthConfig) {
    this.#keys = auth.api_keys.map(({ name, key }) => ({ name, digest: digest(key) }));
    this.#secrets = [auth.session_secret, auth.previous_session_secret]
      .filter((secret) => secret !== null)
      .map((secret) => createSecretKey(Buffer.from(secret)));
  }

  /** Whether anybody may call. */
  get isOpen(): boolean {
    return this.#keys.length === 0;
  }

  /**
   * @param scope the session whose key also opens this endpoint; null: none does
   * @throws GatewayError invalid_api_key
   */
  authenticate(req: IncomingMessage, scope: SessionScope): Caller {
    if (this.isOpen) return anonymous;
    const given = bearerKey(req.headers.authorization) ?? plainKey(req);
    if (given === null) throw invalidKey("is missing: send it as 'authorization: Bearer <key>'");
    const givenDigest = digest(given);
    let caller: Caller | null = null;
    // Every key is compared, so that the time does not reveal which one was close.
    for (const key of this.#keys)
      if (timingSafeEqual(key.digest, givenDigest)) caller = { name: key.name, scope: null };
    caller ??= this.#sessionCaller(given, scope);
    if (caller === null) throw invalidKey("is not known here, or does not open this endpoint");
    return caller;
  }

  #sessionCaller(given: string, session_id: SessionScope): Caller | null {
    if (session_id === null) return null;
    const scope: SignedScope | null = readSessionKey(this.#secrets, session_id, given);
    if (scope === null) return null;
    if (scope.expires_at !== undefined && Date.now() >= 1_000 * scope.expires_at)
      throw invalidKey("has expired");
    return { name: null, scope };
  }
}

const anonymous: Caller = { name: null, scope: null };

/** Equal length for every key, as timingSafeEqual requires. */
function digest(key: string): Buffer {
  return createHash("sha256").update(key).digest();
}

/** RFC 6750, section 2.1; the scheme's name ignores case (RFC 9110, section 11.1). */
function bearerKey(authorization: string | undefined): string | null {
  if (authorization === undefined) return null;
  const space = authorization.indexOf(" ");
  if (space < 0 || authorization.slice(0, space).toLowerCase() !== "bearer") return null;
  return authorization.slice(space + 1).trim();
}

const plainHeaders = [...new Set(Object.values(keyHeaders))].filter(
  (name) => name !== "authorization",
);

/** A key in a header of its API, or in the query of a path that names a model: Google's clients send either. */
function plainKey({ headers, url = "" }: IncomingMessage): string | null {
  for (const name of plainHeaders) {
    const key = headers[name];
    if (typeof key === "string" && key !== "") return key;
  }
  const [, query] = /^[^?]*\/models\/[^?]+:[a-zA-Z]+\?(.*)$/.exec(url) ?? [];
  return query === undefined ? null : new URLSearchParams(query).get("key") || null;
}

function invalidKey(what: string): GatewayError {
  return new GatewayError("invalid_api_key", `The gateway's API key ${what}.`, {
    headers: { "www-authenticate": "Bearer" },
  });
}
