import { createSecretKey } from "node:crypto";
import { expect, test } from "vitest";
import { sessionKey, sessionKeyPrefix } from "../src/index.ts";

test("is the HMAC-SHA256 of the session id in base64url", () => {
  // RFC 4231, test case 2: key "Jefe", data "what do ya want for nothing?".
  const digest = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843";
  const expected = sessionKeyPrefix + Buffer.from(digest, "hex").toString("base64url");
  expect(sessionKey("Jefe", "what do ya want for nothing?")).toBe(expected);
});

test("is the same for a secret given as a KeyObject", () => {
  const secret = createSecretKey("s3cret", "utf8");
  expect(sessionKey(secret, "session-1")).toBe(sessionKey("s3cret", "session-1"));
});

test("differs by session and by secret, and can stand in a header", () => {
  const keys = new Set([sessionKey("a", "1"), sessionKey("a", "2"), sessionKey("b", "1")]);
  expect(keys.size).toBe(3);
  for (const key of keys) expect(key).toMatch(/^sess_[A-Za-z0-9_-]{43}$/);
});
