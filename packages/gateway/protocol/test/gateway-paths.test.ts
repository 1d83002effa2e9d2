import { expect, test } from "vitest";
import { gatewayBaseUrl, gatewayPaths } from "../src/index.ts";

test("the paths are those of the interface", () => {
  const paths = gatewayPaths();
  expect({
    healthz: paths.healthz,
    readyz: paths.readyz,
    metrics: paths.metrics,
    models: paths.models,
    chat_completions: paths.chat_completions,
    responses: paths.responses,
    sessions: paths.sessions(),
    session: paths.session("s"),
    sessionModels: paths.sessionModels("s"),
    sessionChatCompletions: paths.sessionChatCompletions("s"),
    sessionResponses: paths.sessionResponses("s"),
    close: paths.close("s"),
    clean: paths.clean("s"),
    steps: paths.steps("s"),
  }).toEqual({
    healthz: "/healthz",
    readyz: "/readyz",
    metrics: "/metrics",
    models: "/v1/models",
    chat_completions: "/v1/chat/completions",
    responses: "/v1/responses",
    sessions: "/v1/sessions",
    session: "/v1/sessions/s",
    sessionModels: "/v1/sessions/s/models",
    sessionChatCompletions: "/v1/sessions/s/chat/completions",
    sessionResponses: "/v1/sessions/s/responses",
    close: "/v1/sessions/s/close",
    clean: "/v1/sessions/s/clean",
    steps: "/v1/sessions/s/steps",
  });
});

test("queries are escaped, and omitted if they are empty", () => {
  const paths = gatewayPaths("/sims");
  expect(paths.latestSuccessStep("s", "org/model &1")).toBe(
    "/sims/s/latest-success-step?model=org%2Fmodel+%261",
  );
  expect(paths.close("s", { wait: 30 })).toBe("/sims/s/close?wait=30");
  expect(paths.close("s", { wait: undefined })).toBe("/sims/s/close");
  expect(paths.steps("s", { model: "m", after: 0, limit: 5 })).toBe(
    "/sims/s/steps?model=m&after=0&limit=5",
  );
  expect(paths.sessions({ after: "a:b" })).toBe("/sims?after=a%3Ab");
});

test("a session id is not escaped in a path", () => {
  const session_id = "job-1.sim_2~3:4@5+6=7,8";
  const { pathname } = new URL(gatewayPaths().session(session_id), "http://host");
  expect(pathname).toBe(`/v1/sessions/${session_id}`);
});

test.each([["a/b"], [".."], [""], ["a b"]])("%j cannot become a path", (session_id) => {
  expect(() => gatewayPaths().clean(session_id)).toThrow(/is not a session id/);
});

test.each([
  ["http://host:8000", "http://host:8000"],
  ["http://host:8000/", "http://host:8000"],
  ["https://host/prefix/", "https://host/prefix"],
  ["https://host/v1/sessions", "https://host"],
  ["https://host/prefix/v1/sessions/", "https://host/prefix"],
  ["https://host/v1", "https://host/v1"],
])("the base URL of %s is %s", (given, base) => {
  expect(gatewayBaseUrl(given)).toBe(base);
});

test("the session path at the end of a base URL is the configured one", () => {
  expect(gatewayBaseUrl("http://host/a/sims", "/sims")).toBe("http://host/a");
});

test.each([["host:8000"], ["ftp://host"], ["http://host?x=1"], ["http://host#x"], [""]])(
  "%j is not a base URL",
  (url) => {
    expect(() => gatewayBaseUrl(url)).toThrow(/http\(s\):\/\/host/);
  },
);
