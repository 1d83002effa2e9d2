import fc from "fast-check";
import { expect, test } from "vitest";
import { maskUrl, maskUrlsInText, publicDbUrl } from "../../src/configuration/index.ts";

test.each([
  ["postgres://user:pass@host:5432/db", "postgres://user:***@host:5432/db"],
  ["postgresql://user:pass@host/db", "postgresql://user:***@host/db"],
  ["postgres://user@host/db", "postgres://user@host/db"],
  ["postgres://:pass@host/db", "postgres://:***@host/db"],
  ["postgres://user:@host/db", "postgres://user:***@host/db"],
  ["postgres://host:5432/db?sslmode=require", "postgres://host:5432/db?sslmode=require"],
  ["postgres://host/db?user=u&password=p#x", "postgres://host/db?user=u&password=***#x"],
  ["postgres://h/d?PassWord=p&a=b", "postgres://h/d?PassWord=***&a=b"],
  ["https://host/feed?api-key=k&page=2", "https://host/feed?api-key=***&page=2"],
  ["https://host/feed?access_token=k", "https://host/feed?access_token=***"],
  ["https://host/feed?max_tokens=5", "https://host/feed?max_tokens=5"],
  ["https://token@host/x", "https://***@host/x"],
  ["https://host:8080/@scope/x", "https://host:8080/@scope/x"],
  ["http://[::1]:80/x@y", "http://[::1]:80/x@y"],
  ["HTTPS://u:p@host", "HTTPS://u:***@host"],
  ["sqlite://data/a@b.db", "sqlite://data/a@b.db"],
  ["sqlite:///abs/x:y@z.db", "sqlite:///abs/x:y@z.db"],
  ["sqlite://x.db?key=abc", "sqlite://x.db?key=***"],
  ["data/gateway.db", "data/gateway.db"],
  ["", ""],
])("%s is shown as %s", (url, masked) => {
  expect(maskUrl(url)).toBe(masked);
  expect(publicDbUrl(url)).toBe(masked);
});

test.each([
  ["postgres://user:p/a@ss@host/db"],
  ["postgres://user:p?a#ss@host/db"],
  ["postgres://user:p:a:ss@host/db"],
  ["https://user:p/ass@host/db"],
])("an unescaped password is hidden completely: %s", (url) => {
  expect(maskUrl(url)).toBe(`${url.slice(0, url.indexOf(":", 9))}:***@host/db`);
});

test("an escaped password is never shown, and the rest is", () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (password) => {
      const url = `postgres://user:${encodeURIComponent(password)}@host:5432/db?sslmode=require`;
      expect(maskUrl(url)).toBe("postgres://user:***@host:5432/db?sslmode=require");
    }),
    { seed: 1 },
  );
});

test("masks only the URLs in a text", () => {
  const text = 'connect to "postgres://u:p@h/d" failed; see https://h/x?token=t, or user:pass@host';
  expect(maskUrlsInText(text)).toBe(
    'connect to "postgres://u:***@h/d" failed; see https://h/x?token=*** or user:pass@host',
  );
});
