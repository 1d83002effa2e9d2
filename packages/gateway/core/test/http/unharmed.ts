import { expect } from "vitest";
import { atRest } from "../pipeline/at-rest.ts";
import type { TestGateway } from "../start-gateway.ts";

/**
 * Whatever a caller did, the gateway must still serve, hold nothing of any request, and have had no internal
 * error.
 */
export async function expectUnharmed(gateway: TestGateway): Promise<void> {
  const body = { model: "demo", messages: [{ role: "user", content: "Hello" }] };
  const response = await gateway.post("/v1/sessions/after/chat/completions", body);
  expect(response.status).toBe(200);
  await response.text();
  await atRest(gateway, "after");
  expect(gateway.logged.filter(({ level }) => level === "error")).toEqual([]);
}
