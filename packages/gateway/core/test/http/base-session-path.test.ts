import { startDemoUpstream } from "@proj/test-kit";
import { describe, expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { expectError } from "./error-answer.ts";

const body = { model: "demo", messages: [{ role: "user", content: "Hello" }], input: "Hello" };

describe.each(["/Agents/v2.1/runs", "/s", "/v1/responses-of/sessions", "/v1/sessions/below"])(
  "with base_session_path %s",
  (base) => {
    test("every session endpoint is below it, and the other endpoints have not moved", async () => {
      await using upstream = await startDemoUpstream();
      await using gateway = await startGateway({
        base_session_path: base,
        llm_routes: { demo: { base_url: upstream.url } },
      });
      const get = async (path: string): Promise<unknown> => {
        const response = await fetch(gateway.url + path);
        expect(response.status).toBe(200);
        return response.json();
      };
      const post = async (path: string): Promise<unknown> => {
        const response = await gateway.post(path, body);
        expect(response.status).toBe(200);
        return response.json();
      };
      expect(await post(`${base}/a%3Ab/chat/completions`)).toHaveProperty("choices");
      expect(await post(`${base}/a:b/responses`)).toHaveProperty("output");
      expect(await get(base)).toMatchObject({ sessions: [{ session_id: "a:b" }] });
      expect(await get(`${base}/a:b`)).toMatchObject({ models: { demo: { steps: 2 } } });
      expect(await get(`${base}/a:b/models`)).toMatchObject({ data: [{ id: "demo" }] });
      expect(await get(`${base}/a:b/steps`)).toHaveProperty("steps.length", 2);
      expect(await get(`${base}/a:b/latest-success-step?model=demo`)).toMatchObject({ step_id: 2 });
      expect(await post(`${base}/a:b/close?wait=10`)).toMatchObject({ status: "closed" });
      expect(await post(`${base}/a:b/clean`)).toMatchObject({ cleaned: true });
      expect(await post("/v1/chat/completions")).toHaveProperty("choices");
      expect(await post("/v1/responses")).toHaveProperty("output");
      expect(await get("/v1/models")).toMatchObject({ data: [{ id: "demo" }] });
      expect(await get("/readyz")).toMatchObject({ base_session_path: base });
    });
  },
);

test("the path is case-sensitive, and the default session path is not served", async () => {
  await using gateway = await startGateway({
    base_session_path: "/Runs",
    llm_routes: { demo: { base_url: "http://x/v1" } },
  });
  for (const path of ["/runs", "/RUNS/a", "/runs/a/close", "/v1/sessions", "/v1/sessions/a/close"])
    for (const method of ["GET", "POST"])
      await expectError(await fetch(gateway.url + path, { method }), "not_found");
  await expectError(await gateway.post("/runs/a/chat/completions", body), "not_found");
  await expectError(await gateway.post("/v1/sessions/a/chat/completions", body), "not_found");
  // A path that merely begins with it does not match.
  await expectError(await fetch(`${gateway.url}/Runs2`), "not_found");
});
