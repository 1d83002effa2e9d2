import { expect, test } from "vitest";
import { errorKinds } from "../src/index.ts";

/** What OpenAI clients retry by status alone; every other answer they give up at. */
const retriedByStatus = (status: number): boolean =>
  status === 408 || status === 409 || status === 429 || status >= 500;

test("retryable errors have a status that clients retry", () => {
  for (const [code, { status, retryable }] of Object.entries(errorKinds)) {
    if (retryable) expect(retriedByStatus(status), code).toBe(true);
  }
});

test("a caller's mistake has a 4xx status, and the gateway's or the upstream's fault a 5xx", () => {
  for (const [code, { status, source }] of Object.entries(errorKinds)) {
    const isFault = source === "gateway" || source === "upstream";
    expect(Math.floor(status / 100), code).toBe(isFault ? 5 : 4);
  }
});
