import { expect } from "vitest";
import { atRest } from "../pipeline/at-rest.ts";
import type { TestGateway } from "../start-gateway.ts";

/**
 * Must hold whatever a caller did: the gateway serves, holds nothing of any request, and had no internal
 * failure.
 */
export async function expectUnharmed(gateway: TestGateway): Promise<void> {
  const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
  const response = await gateway.post("/v1/sessions/after/chat/completions", body);
  expect(response.status).toBe(200);
  await response.text();
  await atRest(gateway, "after");
  expect(gateway.logged.filter(({ level }) => level === "error")).toEqual([]);
}
