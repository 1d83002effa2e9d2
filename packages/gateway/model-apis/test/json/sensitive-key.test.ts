import { expect, test } from "vitest";
import { JsonScanner } from "../../src/json/json-scanner.ts";
import { isKeptKey, isSensitiveKey } from "../../src/json/sensitive-key.ts";

function judge(judgement: typeof isSensitiveKey, key: string): boolean {
  const bytes = Buffer.from(key);
  return judgement(bytes, 0, bytes.length, key.includes("\\"));
}

function isSuspected(text: string): boolean {
  const scanner = new JsonScanner(Buffer.from(text));
  scanner.skipValue();
  return scanner.sensitive;
}

const sensitive = [
  "authorization",
  "Authorization",
  "Proxy-Authorization",
  "api_key",
  "apiKey",
  "APIKEY",
  "x-api-key",
  "api key",
  "openai.api.key",
  "token",
  "access_token",
  "accessToken",
  "x-auth-token",
  "password",
  "dbPassword",
  "secret",
  "client_secret",
  "CLIENT-SECRET",
  "über_token",
  `${"long_".repeat(20)}token`,
  "api\\u005fkey",
  "\\u0074oken",
  "toke\\u004E",
  "client\\/secret",
  "secret_key",
  "SecretKey",
  "private_key",
  "aws-secret-access-key",
  "access_key",
  "signing_key",
  "encryptionKey",
  "passwd",
  "passphrase",
  "credential",
  "aws_credentials",
  "bearer",
  "cookie",
  "Set-Cookie",
  "private\\u005fkey",
];

test.each(sensitive)("%s is sensitive, and the scanner notices it", (key) => {
  expect(judge(isSensitiveKey, key)).toBe(true);
  expect(isSuspected(`{"${key}":"x"}`)).toBe(true);
  expect(isSuspected(`[1,{"a":[{"b":1,"${key}" : "x"}]}]`)).toBe(true);
});

test.each([
  "tokens",
  "max_tokens",
  "token_ids",
  "tokenizer",
  "secretary",
  "password_hint",
  "key",
  "public_key",
  "prompt_cache_key",
  "idempotency-key",
  "monkey",
  "cookies",
  "forbearer_name",
  "type",
  "author",
  "oken",
  "",
  "_",
  "content",
  "description",
  "to\\nkens",
])("%s is not sensitive", (key) => {
  expect(judge(isSensitiveKey, key)).toBe(false);
});

test("only string values are suspect, and an ordinary body has none", () => {
  expect(isSuspected('{"token":1,"secret":{"a":"b"},"password":["x"],"api_key":null}')).toBe(false);
  expect(isSuspected('["token","password"]')).toBe(false);
  const messages = [{ role: "user", content: "my password: token", name: "secret" }];
  expect(isSuspected(JSON.stringify({ model: "m", max_tokens: 5, stop: "x", messages }))).toBe(
    false,
  );
});

test.each([
  "logprobs",
  "top_logprobs",
  "promptLogprobs",
  "token_ids",
  "prompt_token_ids",
  "tokenIds",
  "tokens",
  "max-tokens",
  "token\\u0073",
])("%s is kept", (key) => {
  expect(judge(isKeptKey, key)).toBe(true);
});

test.each(["token", "logprob", "ids", "tokens_details"])("%s is not kept", (key) => {
  expect(judge(isKeptKey, key)).toBe(false);
});
