import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RequestLogEntry } from "../../src/request-log/call-log-entry.ts";
import { encodeEntry } from "../../src/request-log/encode-entry.ts";
import { sampleEntry } from "./sample-entry.ts";

/** Grows the target as the writer asks for room. */
function lineOf(entry: RequestLogEntry, bodyLimit: number): string {
  const at = 3;
  const target = Buffer.alloc(encodeEntry(entry, bodyLimit, Buffer.alloc(at), at));
  expect(encodeEntry(entry, bodyLimit, target, at)).toBe(target.length);
  return target.toString("utf8", at);
}

describe("a line of the request log", () => {
  test("contains every field under its documented name", () => {
    const line = lineOf(sampleEntry(), 0);
    expect(line.endsWith("}\n")).toBe(true);
    expect(JSON.parse(line)).toEqual({
      time: "2026-01-02T03:04:05.006Z",
      event: "request",
      request_id: "req_1",
      session_id: "session-1",
      model: "small",
      step_id: 1,
      endpoint: "chat_completions",
      status_code: 200,
      outcome: "completed",
      code: null,
      caller: null,
      queue_ms: 0,
      ttft_ms: 12.5,
      upstream_ms: 20.25,
      gateway_ms: 0.125,
      duration_ms: 20.375,
      request_bytes: 15,
      response_bytes: 11,
      request: '{"model":"small"}',
      response: '{"id":"a"}',
    });
  });

  test("has null for unknown values", () => {
    const line = lineOf(
      sampleEntry({
        event: "refused",
        session_id: null,
        model: null,
        step_id: null,
        endpoint: null,
        outcome: null,
        code: "invalid_request",
        ttft_ms: null,
        duration_ms: Number.NaN,
        request: null,
        response: null,
      }),
      0,
    );
    expect(JSON.parse(line)).toMatchObject({
      event: "refused",
      session_id: null,
      model: null,
      endpoint: null,
      code: "invalid_request",
      ttft_ms: null,
      duration_ms: null,
      request: null,
      response: null,
    });
  });

  test("is one line of JSON, whatever names and bodies contain", () => {
    const awkward = fc.constantFrom("a", '"', "\\", "\n", "\u0000", "\u2028", "\ud800", "é", "😀");
    fc.assert(
      fc.property(fc.string({ unit: awkward }), fc.uint8Array(), (name, bytes) => {
        const changes = { model: name, session_id: name, caller: name, request: bytes };
        const line = lineOf(sampleEntry(changes), 0);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        const parsed = JSON.parse(line);
        expect(parsed.model).toBe(name);
        expect(parsed.caller).toBe(name);
        expect(parsed.request).toBe(Buffer.from(bytes).toString());
      }),
    );
  });
});

describe("a body", () => {
  test("is written as by JSON.stringify, for every character in UTF-8", () => {
    const all = Array.from({ length: 0x2100 }, (_, code) => String.fromCharCode(code)).join("");
    const body = `${all}\ufeff\uffff😀`;
    expect(lineOf(sampleEntry({ request: Buffer.from(body) }), 0)).toContain(
      `"request":${JSON.stringify(body)},`,
    );
  });

  test("is whole at any size", () => {
    for (const length of [0, 1, 16_383, 16_384, 16_385, 100_000]) {
      const response = '"€\u0001'.repeat(length).slice(0, length);
      const parsed = JSON.parse(lineOf(sampleEntry({ response: Buffer.from(response) }), 0));
      expect(parsed.response === response).toBe(true);
    }
  });
});

test("a target that is too small keeps what comes before the line", () => {
  const target = Buffer.alloc(200, "x");
  const entry = sampleEntry({ model: "é", request: Buffer.alloc(100_000, '"') });
  expect(encodeEntry(entry, 0, target, 150)).toBe(150 + lineOf(entry, 0).length + 1);
  expect(target.toString("utf8", 0, 150)).toBe("x".repeat(150));
});

test("times are written as toISOString writes them", () => {
  const times = [0, 7, 999, 1000, 1_767_323_045_006, 1_767_323_045_999.9, 1_767_323_046_000, -1];
  for (const time of [...times, ...times.toReversed()])
    expect(JSON.parse(lineOf(sampleEntry({ time }), 0)).time).toBe(new Date(time).toISOString());
});

describe("the limit of recorded bodies", () => {
  test("cuts a longer body, and marks only that body", () => {
    const parsed = JSON.parse(lineOf(sampleEntry(), 12));
    expect(parsed).toMatchObject({ request: '{"model":"sm', request_truncated: true });
    expect(parsed).toMatchObject({ response: '{"id":"a"}', request_bytes: 15 });
    expect(parsed).not.toHaveProperty("response_truncated");
  });

  test("leaves a body of exactly its length whole", () => {
    const parsed = JSON.parse(lineOf(sampleEntry({ request: Buffer.from("12345678") }), 8));
    expect(parsed.request).toBe("12345678");
    expect(parsed).not.toHaveProperty("request_truncated");
  });

  test("never splits a character, and drops no more than the one at the cut", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "é", "€", "😀"), minLength: 1 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (body, limit) => {
        const parsed = JSON.parse(lineOf(sampleEntry({ request: Buffer.from(body) }), limit));
        expect(body.startsWith(parsed.request)).toBe(true);
        const kept = Buffer.byteLength(parsed.request);
        expect(kept).toBeLessThanOrEqual(limit);
        expect(kept).toBeGreaterThan(Math.min(Buffer.byteLength(body), limit) - 4);
        expect(parsed.request_truncated ?? false).toBe(kept < Buffer.byteLength(body));
      }),
    );
  });

  test("cuts at the limit if the bytes are not UTF-8", () => {
    const bytes = Buffer.alloc(10, 0x80);
    const parsed = JSON.parse(lineOf(sampleEntry({ request: bytes }), 6));
    expect(parsed).toMatchObject({ request: "\ufffd".repeat(6), request_truncated: true });
  });
});
