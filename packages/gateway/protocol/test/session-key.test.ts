import { createHmac, createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { readSessionKey, sessionKey, sessionKeyPrefix } from "../src/index.ts";

test("is the HMAC-SHA256 of the session id in base64url", () => {
  // RFC 4231, test case 2: key "Jefe", data "what do ya want for nothing?".
  const digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  const expected = sessionKeyPrefix + Buffer.from(digest, "hex").toString("base64url");
  expect(sessionKey("Jefe", "what do ya want for nothing?")).toBe(expected);
});

test("is the same for a KeyObject of the secret", () => {
  const secret = createSecretKey("s3cret", "utf8");
  expect(sessionKey(secret, "session-1")).toBe(sessionKey("s3cret", "session-1"));
});

test("differs by session and by secret, and is a valid header value", () => {
  const keys = new Set([sessionKey("a", "1"), sessionKey("a", "2"), sessionKey("b", "1")]);
  expect(keys.size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^sess_[A-Za-z0-9_-]{43}$/);
});

const scope = { models: ["policy"], expires_at: 4e9, max_steps: 3, requests_per_second: 0.5 };

test("a scoped key carries its scope, signed for one session by either secret", () => {
  const key = sessionKey("old", "s", scope);
  expect(key).toMatch(/^sess_[A-Za-z0-9_-]+\.[A-Za-z0-9_-]{43}$/);
  const read = readSessionKey(["new", "old"], "s", key);
  expect(read).toMatchObject(scope);
  expect(Number(Reflect.get(read ?? {}, "issued_at"))).toBeGreaterThan(1.7e9);
  expect(readSessionKey(["new"], "s", key)).toBeNull();
  expect(readSessionKey(["old"], "t", key)).toBeNull();
  expect(readSessionKey(["old"], "s", sessionKey("old", "s"))).toEqual({});
});

test("a scope can be neither changed nor removed", () => {
  const [payload = "", signature = ""] = sessionKey("secret", "s", scope).slice(5).split(".");
  const wider = Buffer.from(JSON.stringify({ issued_at: 1 })).toString("base64url");
  for (const key of [
    `${wider}.${signature}`,
    signature,
    `${payload}.`,
    `.${signature}`,
    payload,
    "",
  ])
    expect(readSessionKey(["secret"], "s", sessionKeyPrefix + key), key).toBeNull();
  // Nor is another spelling of the same bytes the key.
  for (const key of [`${payload}.${signature}=`, `${payload}.${signature}!`])
    expect(readSessionKey(["secret"], "s", sessionKeyPrefix + key), key).toBeNull();
});

test.each([
  "not JSON",
  "null",
  "[]",
  "{}",
  '{"issued_at":1,"expires_at":"2030-01-01"}',
  '{"issued_at":1,"models":"policy"}',
  '{"issued_at":1,"max_steps":-1}',
])("a key with an invalid scope opens nothing: %s", (text) => {
  const payload = Buffer.from(text).toString("base64url");
  const signature = createHmac("sha256", "secret").update(`s\n${payload}`).digest("base64url");
  expect(readSessionKey(["secret"], "s", `sess_${payload}.${signature}`)).toBeNull();
});
