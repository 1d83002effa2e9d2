import { apiOf } from "@proj/model-apis";
import { type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { metric, onlyStep } from "../telemetry/bound-calls.ts";
import { answerBytes, endpointCases, requestOf } from "./endpoint-cases.ts";
import { apis, routesTo, rowCount, steady } from "./endpoint-routes.ts";

// Every endpoint does the same, in its own form.

const recordedCases = endpointCases.filter(({ isRecorded }) => isRecorded);

let upstream: FaultyUpstream;
let gateway: TestGateway;
/** Its budget is used up before the first step. */
let spent: TestGateway;

beforeAll(async () => {
  upstream = await startFaultyUpstream();
  const llm_routes = routesTo(upstream.url);
  [gateway, spent] = await Promise.all([
    startGateway({ llm_routes }),
    startGateway({ llm_routes, max_steps: 0 }),
  ]);
});

afterAll(async () => {
  await Promise.all([gateway.close(), spent.close()]);
  await upstream.close();
});

const json = { headers: { "content-type": "application/json" } };

describe.each(recordedCases)("$name", (each) => {
  const { name, path, history, request, isStep, finish_reason, completion_tokens } = each;

  const finished = (status_code: number, outcome: string): Promise<number> =>
    metric(
      gateway,
      `gateway_requests_finished_total{model="policy",endpoint="${name}",status_code="${status_code}",outcome="${outcome}"}`,
    );

  test("a plain answer is relayed byte for byte, and its row has the facts", async () => {
    const bytes = answerBytes(each);
    upstream.script((_request, reply) => void reply.send(bytes, json));
    const session_id = `${name}-plain`;
    const before = await finished(200, "completed");
    const answer = await gateway.post(`/v1/sessions/${session_id}${path}`, request);
    expect(answer.status).toBe(200);
    expect(answer.headers.get("x-gateway-step-id")).toBe(isStep ? "1" : null);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
    expect(upstream.requests.at(-1)).toMatchObject({ method: "POST", path: `/v1${path}` });
    expect(upstream.requests.at(-1)?.body.toString()).toBe(JSON.stringify(request));

    const step = await onlyStep(gateway, session_id);
    expect(step).toMatchObject({ model: "policy", step_id: isStep ? 1 : -1, status_code: 200 });
    expect(step.response).toBe(JSON.stringify(each.kept ?? each.answer));
    expect(step.messages).toBe(history === null ? null : JSON.stringify(history.value));
    const rest = history === null ? {} : { [history.name]: null };
    expect(step.request).toBe(JSON.stringify({ ...request, ...rest }));
    expect(step.meta).toMatchObject({
      endpoint: name,
      outcome: "completed",
      is_stream: false,
      finish_reason,
      prompt_tokens: 11,
      completion_tokens,
    });
    expect(await finished(200, "completed")).toBe(before + 1);
  });

  test("an extra /v1 after the session changes nothing", async () => {
    upstream.script((_request, reply) => void reply.send(answerBytes(each), json));
    const session_id = `${name}-second`;
    const answer = await gateway.post(`/v1/sessions/${session_id}/v1${path}`, request);
    expect(answer.status).toBe(200);
    expect(upstream.requests.at(-1)?.path).toBe(`/v1${path}`);
    expect(await onlyStep(gateway, session_id)).toMatchObject({ meta: { endpoint: name } });
  });

  test("an upstream's error is relayed as it came, and recorded", async () => {
    const error = {
      error: { message: "no", type: "invalid_request_error", param: null, code: "x" },
    };
    upstream.script((_request, reply) => void reply.json(error, { status: 422 }));
    const session_id = `${name}-error`;
    const answer = await gateway.post(`/v1/sessions/${session_id}${path}`, request);
    expect({ status: answer.status, body: await answer.json() }).toEqual({
      status: 422,
      body: error,
    });
    const step = await onlyStep(gateway, session_id);
    expect(step).toMatchObject({ status_code: 422, response: JSON.stringify(error) });
  });
});

describe.each(endpointCases)("$name", (each) => {
  const { name, path, request } = each;

  test("unbound: relayed byte for byte, without a row", async () => {
    const bytes = answerBytes(each);
    upstream.script((_request, reply) => void reply.send(bytes, json));
    const before = rowCount(gateway);
    const plain = await gateway.post(`/v1${path}`, request);
    expect(Buffer.from(await plain.arrayBuffer())).toEqual(bytes);
    expect(rowCount(gateway)).toBe(before);
  });

  test("a refused body gets an error in the API's form, and leaves no row", async () => {
    const sent = upstream.requests.length;
    const session_id = `${name}-refused`;
    const unknown = requestOf(each, { model: "polcy" });
    for (const asked of [{ path, body: "{" }, unknown]) {
      const answer = await gateway.post(`/v1/sessions/${session_id}${asked.path}`, asked.body);
      expect(answer.headers.get("x-should-retry")).toBe("false");
      const told = JSON.parse(steady(await answer.text()));
      expect({ status: answer.status, body: told }).toMatchSnapshot();
    }
    expect(gateway.steps(session_id)).toEqual([]);
    expect(upstream.requests.length).toBe(sent);
  });

  test("a route without it lists the endpoints that it has", async () => {
    const sent = upstream.requests.length;
    const session_id = `${name}-unsupported`;
    const other = apis.find((one) => one !== apiOf[name]);
    for (const prefix of ["/v1", `/v1/sessions/${session_id}`]) {
      const asked = requestOf(each, { model: `only ${other}` });
      const answer = await gateway.post(`${prefix}${asked.path}`, asked.body);
      const { error } = (await answer.json()) as { error: { message: string } };
      expect(answer.status).toBe(404);
      expect(JSON.stringify(error)).toContain('"endpoint_not_supported"');
      expect(error.message).toContain(`'${name}'`);
      expect(error.message).toMatch(new RegExp(`It has ${other}\\.$`));
    }
    expect(gateway.steps(session_id)).toEqual([]);
    expect(upstream.requests.length).toBe(sent);
  });
});

describe.each(endpointCases.filter(({ isRecorded }) => !isRecorded))("$name", (each) => {
  const { name, path, request } = each;

  test("of a session: relayed byte for byte, without a row or a step", async () => {
    const bytes = answerBytes(each);
    const session_id = `${name}-unrecorded`;
    for (const prefix of ["", "/v1"]) {
      upstream.script((_request, reply) => void reply.send(bytes, json));
      const answer = await spent.post(`/v1/sessions/${session_id}${prefix}${path}`, request);
      expect(Buffer.from(await answer.arrayBuffer())).toEqual(bytes);
      expect(answer.headers.get("x-gateway-step-id")).toBeNull();
      expect(upstream.requests.at(-1)).toMatchObject({ path: `/v1${path}` });
      expect(upstream.requests.at(-1)?.headers["x-session-id"]).toBe(session_id);
    }
    expect(spent.steps(session_id)).toEqual([]);
    // A status request opens no session.
    const status = await fetch(`${spent.url}/v1/sessions/${session_id}`);
    expect(status.status).toBe(404);
  });

  test("a closed session is not answered", async () => {
    const session_id = `${name}-closed`;
    await gateway.post(`/v1/sessions/${session_id}/close?wait=10`, "");
    const sent = upstream.requests.length;
    const answer = await gateway.post(`/v1/sessions/${session_id}${path}`, request);
    expect(answer.status).toBe(400);
    expect(upstream.requests.length).toBe(sent);
  });

  test("the route's extra members are not added to it", async () => {
    upstream.script((_request, reply) => void reply.send(answerBytes(each), json));
    const asked = requestOf(each, { model: "steered" });
    await gateway.post(`/v1${asked.path}`, asked.body);
    const { path: sent, body } = requestOf(each, { model: "m" });
    expect(upstream.requests.at(-1)?.path).toBe(`/v1${sent}`);
    expect(JSON.parse(upstream.requests.at(-1)?.body.toString() ?? "")).toEqual(body);
  });
});

describe.each(endpointCases.filter(({ isStep }) => isStep))(
  "$name",
  ({ name, request, stream }) => {
    test.each(stream === null ? [false] : [false, true])(
      "a spent budget is answered in the API's form (stream: %s)",
      async (streams) => {
        const session_id = `${name}-stop-${streams}`;
        const sent = upstream.requests.length;
        const asked = requestOf({ name, request }, { stream: streams });
        const body = { ...asked.body, stream_options: { include_usage: true } };
        const answer = await spent.post(`/v1/sessions/${session_id}${asked.path}`, body);
        expect(answer.status).toBe(200);
        expect(answer.headers.get("x-gateway-stop")).toBe("max_steps");
        expect(answer.headers.get("content-type")).toBe(
          streams ? "text/event-stream; charset=utf-8" : "application/json",
        );
        expect(steady(await answer.text())).toMatchSnapshot();
        expect(spent.steps(session_id)).toEqual([]);
        expect(upstream.requests.length).toBe(sent);
        const stops = `gateway_synthetic_stops_total{model="policy",endpoint="${name}"}`;
        expect(await metric(spent, stops)).toBe(streams ? 2 : 1);
      },
    );
  },
);
