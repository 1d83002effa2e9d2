import { gatewayPaths } from "@proj/gateway-protocol";
import { endpointPaths } from "@proj/model-apis";
import { startDemoUpstream } from "@proj/test-kit";
import { OpenApiCheck } from "@proj/test-kit/openapi";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";

const file = new URL("../../openapi.yaml", import.meta.url);
const messages = [{ role: "user", content: "What is 6 * 7?" }];
const bodies: Readonly<Record<string, object>> = {
  "chat/completions": { model: "policy", messages },
  responses: { model: "policy", input: "What is 6 * 7?" },
  messages: { model: "policy", messages, max_tokens: 100 },
  pause: { mode: "hold" },
  "routes/policy/resume": { weight_version: "step-1" },
  logprobs: { token_ids: [1, 2, 3] },
};

test("every documented path answers as openapi.yaml says", async () => {
  const api = await OpenApiCheck.read(file);
  await using upstream = await startDemoUpstream();
  await using gateway = await startGateway({
    llm_routes: {
      policy: {
        base_url: upstream.url,
        endpoints: ["chat_completions", "responses", "completions", "embeddings", "messages"],
      },
    },
  });
  await gateway.post("/v1/sessions/s/chat/completions", bodies["chat/completions"]);
  // Calls that end the session come last, and calls that pause the route are undone at once.
  const late = ["/close", "/clean"].map((end) => `POST /v1/sessions/{session_id}${end}`);
  const order = [...api.operations.filter((each) => !late.includes(each)), ...late];
  const succeeded: string[] = [];
  for (const operation of order) {
    const [method = "", template = ""] = operation.split(" ");
    const path = template
      .replace("{session_id}", "s")
      .replace("{model}", "policy")
      .replace("{job_id}", "nobody's")
      .replace("{id}", "unknown")
      .replace("{item_id}", "unknown");
    const query = path.endsWith("latest-success-step") ? "?model=policy" : "";
    const name = Object.keys(bodies).find((end) => path.endsWith(`/${end}`)) ?? "";
    const gone = new AbortController();
    const answer = await fetch(gateway.url + encodeURI(path) + query, {
      method,
      signal: gone.signal,
      ...(method === "POST" && { body: JSON.stringify(bodies[name] ?? {}) }),
    });
    if (answer.ok) succeeded.push(operation);
    if (answer.headers.get("content-type") === "text/event-stream") {
      await api.check(operation, new Response("", answer));
      gone.abort();
    } else await api.check(operation, answer);
  }
  expect(api.unasked).toEqual([]);
  // The demo upstream stores no responses and says no log probabilities of prompts, and there is no job: these calls
  // give the documented errors.
  const others = order.filter(
    (each) =>
      !succeeded.includes(each) &&
      !/conversations|\/responses\/|completions$|embeddings|count_tokens|Content$|countTokens$|\/jobs\/|logprobs|reload|fork/.test(
        each,
      ),
  );
  expect(others).toEqual([]);
});

test("every served path is in openapi.yaml", async () => {
  const { document } = await OpenApiCheck.read(file);
  const paths: Readonly<Record<string, unknown>> = { ...gatewayPaths() };
  const at = (name: string): string => {
    const path = paths[name];
    const given = name === "sessions" ? [] : ["ID", "MODEL"];
    return String(typeof path === "function" ? Reflect.apply(path, null, given) : path);
  };
  const sessionEndpoints = Object.values(endpointPaths).map((path) => at("session") + path);
  const form = (path: string) => path.replace(/\?.*/, "").replaceAll(/\{\w+\}|\bID\b/g, "{}");
  const documented = new Set(Object.keys(document.paths).map(form));
  const served = [...Object.keys(paths).map(at), ...sessionEndpoints].map(form);
  expect(served.length).toBeGreaterThan(30);
  expect(served.filter((path) => !documented.has(path))).toEqual([]);
});
