import { type TemporaryFolder, temporaryFolder } from "@proj/test-kit";
import OpenAI, { NotFoundError } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sessionClient } from "../session/session-client.ts";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { onlyStep, stepsOnceThereAre } from "../telemetry/bound-calls.ts";
import { type StoringUpstream, startStoringUpstream } from "./storing-upstream.ts";

// Objects that an upstream stores can be fetched through the gateway, by the session that created them and
// from the replica that has them.

let one: StoringUpstream;
let two: StoringUpstream;
let gateway: TestGateway;
let folder: TemporaryFolder;
let config: Record<string, unknown>;

beforeAll(async () => {
  [one, two] = await Promise.all([startStoringUpstream("a"), startStoringUpstream("b")]);
  folder = await temporaryFolder();
  config = {
    llm_routes: {
      policy: { base_urls: [one.url, two.url], api_key: "upstream-key" },
      other: { base_url: two.url },
      spoken: { base_url: one.url, endpoints: ["chat_completions"] },
    },
  };
  gateway = await startGateway(config, { folder: folder.path });
});

afterAll(async () => {
  await gateway.close();
  await Promise.all([one.close(), two.close()]);
  await folder.remove();
});

const client = (session_id: string | null): OpenAI =>
  new OpenAI({
    baseURL: session_id === null ? `${gateway.url}/v1` : gateway.sessionUrl(session_id),
    apiKey: "none",
    maxRetries: 0,
  });
const question = { model: "policy", input: "Hello" };

const holderOf = (id: string): StoringUpstream => (id.includes("_a_") ? one : two);

describe("a response in the background", () => {
  test("is its step's success once it has been fetched", async () => {
    const sdk = client("late").responses;
    const queued = await sdk.create({ ...question, background: true });
    expect(queued.status).toBe("queued");
    expect(await onlyStep(gateway, "late")).toMatchObject({ status_code: 202 });
    const session = sessionClient(gateway, "late");
    expect((await session.latestSuccessStep("policy")).step_id).toBeNull();

    expect((await sdk.retrieve(queued.id)).status).toBe("queued");
    expect(await onlyStep(gateway, "late")).toMatchObject({ status_code: 202 });
    holderOf(queued.id).finish(queued.id);
    const done = await sdk.retrieve(queued.id);
    expect(done.output_text).toBe("Late.");

    const step = await onlyStep(gateway, "late");
    expect(step).toMatchObject({ step_id: 1, status_code: 200 });
    const { output_text: _, _request_id, ...answer } = { _request_id: null, ...done };
    expect(JSON.parse(step.response ?? "")).toEqual(answer);
    expect(step.meta).toMatchObject({
      ...{ status_code: 200, outcome: "completed", finish_reason: "completed" },
      ...{ prompt_tokens: 11, completion_tokens: 5, endpoint: "responses" },
      completed_by: expect.any(String),
    });
    expect((await session.latestSuccessStep("policy")).step_id).toBe(1);
    const { policy } = (await session.status()).models;
    expect(policy).toMatchObject({ steps: 1, successes: 1, completion_tokens: 5 });
    // Fetching again changes nothing.
    await sdk.retrieve(queued.id);
    expect(await onlyStep(gateway, "late")).toEqual(step);
    expect((await session.status()).models.policy).toEqual(policy);
  });

  test("that was cancelled is not a success", async () => {
    const sdk = client("cancelled").responses;
    const { id } = await sdk.create({ ...question, background: true });
    expect((await sdk.cancel(id)).status).toBe("cancelled");
    expect(await onlyStep(gateway, "cancelled")).toMatchObject({
      status_code: 502,
      meta: { outcome: "no_answer", error: "the response is cancelled" },
    });
  });

  test("cannot be fetched once its session is closed", async () => {
    const sdk = client("shut").responses;
    const { id } = await sdk.create({ ...question, background: true });
    await sessionClient(gateway, "shut").closeAndWait();
    holderOf(id).finish(id);
    await expect(sdk.retrieve(id)).rejects.toMatchObject({ status: 403, code: "session_closed" });
    expect(await onlyStep(gateway, "shut")).toMatchObject({ status_code: 202 });
  });
});

describe.each(["session", "none"])("with %s bound", (bound) => {
  const session_id = (name: string): string | null => (bound === "none" ? null : `stored-${name}`);

  test("a response is found at the replica that made it, and takes no step", async () => {
    const { responses } = client(session_id("found"));
    const made = await Promise.all(
      [1, 2, 3].map((n) => responses.create({ ...question, input: `${n}` })),
    );
    for (const { id } of made) {
      expect((await responses.retrieve(id, { include: ["reasoning.encrypted_content"] })).id).toBe(
        id,
      );
      const { path, headers, body } = holderOf(id).requests.at(-1) ?? {};
      expect(path).toMatch(new RegExp(`^/v1/responses/${id}\\?include`));
      expect(headers).toMatchObject({ authorization: "Bearer upstream-key" });
      expect(body).toHaveLength(0);
      const items = await responses.inputItems.list(id, { limit: 5 });
      expect(items.data[0]).toMatchObject({ query: "limit=5" });
    }
    if (bound === "session")
      expect(await stepsOnceThereAre(gateway, "stored-found", 3)).toHaveLength(3);
  });

  test("a streamed response is found, and gone when it was deleted", async () => {
    const { responses } = client(session_id("stream"));
    let id = "";
    for await (const event of await responses.create({ ...question, stream: true }))
      if (event.type === "response.created") ({ id } = event.response);
    expect((await responses.retrieve(id)).id).toBe(id);
    await responses.delete(id);
    await expect(responses.retrieve(id)).rejects.toThrow(NotFoundError);
  });

  test("a conversation is created, filled and read", async () => {
    const sdk = client(session_id("talk"));
    await sdk.responses.create(question);
    const { id } = await sdk.conversations.create({});
    expect((await sdk.conversations.retrieve(id)).id).toBe(id);
    const item = { type: "message" as const, role: "user" as const, content: "Hi" };
    const sent = await sdk.conversations.items.create(id, { items: [item] });
    expect(sent.data[0]).toMatchObject({ sent: [item] });
    expect((await sdk.conversations.items.list(id)).data).toHaveLength(1);
    await sdk.conversations.delete(id);
    await expect(sdk.conversations.retrieve(id)).rejects.toThrow(NotFoundError);
  });

  test("an object that nobody created here is not found, and the upstream is not asked", async () => {
    const sent = one.requests.length + two.requests.length;
    const { responses } = client(session_id("unknown"));
    await expect(responses.retrieve("resp_other")).rejects.toMatchObject({
      status: 404,
      error: { message: "Response with id 'resp_other' not found.", param: "id" },
    });
    expect(one.requests.length + two.requests.length).toBe(sent);
  });
});

describe("after a restart", () => {
  const restart = async (): Promise<void> => {
    await gateway.close();
    gateway = await startGateway(config, { folder: folder.path });
  };

  test("a response is found at the replica that made it, by its own session alone", async () => {
    const sdk = client("again").responses;
    const ids: string[] = [];
    // A session stays with one replica; with several sessions, both replicas have created some.
    for (let n = 0; n < 3; n += 1) ids.push((await sdk.create({ ...question, input: `${n}` })).id);
    const others = await Promise.all(
      ["a", "b", "c", "d"].map(async (name) => {
        const made = await client(`again-${name}`).responses.create(question);
        return { name: `again-${name}`, id: made.id };
      }),
    );
    await restart();
    for (const { name, id } of [...ids.map((id) => ({ name: "again", id })), ...others]) {
      expect((await client(name).responses.retrieve(id)).id).toBe(id);
      expect(holderOf(id).requests.at(-1)?.path).toBe(`/v1/responses/${id}`);
    }
    await expect(client("yours").responses.retrieve(ids[0] ?? "")).rejects.toThrow(NotFoundError);
    await client("again").responses.delete(ids[0] ?? "");
    await expect(client("again").responses.retrieve(ids[0] ?? "")).rejects.toThrow(NotFoundError);
  });

  test("a conversation is found at the replica that made it, by its own session alone", async () => {
    const names = ["a", "b", "c", "d"].map((name) => `talk-${name}`);
    const made = await Promise.all(
      names.map(async (name) => {
        await client(name).responses.create(question);
        return { name, id: (await client(name).conversations.create({})).id };
      }),
    );
    await restart();
    for (const { name, id } of made) {
      expect((await client(name).conversations.retrieve(id)).id).toBe(id);
      expect(holderOf(id).requests.at(-1)?.path).toBe(`/v1/conversations/${id}`);
      await expect(client("yours").conversations.retrieve(id)).rejects.toThrow(NotFoundError);
    }
  });

  test("a session makes conversations where its latest response was made", async () => {
    await client("talks").responses.create(question);
    await restart();
    const { id } = await client("talks").conversations.create({});
    expect(holderOf(id).requests.at(-1)).toMatchObject({
      path: "/v1/conversations",
      headers: { authorization: "Bearer upstream-key" },
    });
  });

  test("a response in the background completes its step, once", async () => {
    const queued = await client("later").responses.create({ ...question, background: true });
    await restart();
    holderOf(queued.id).finish(queued.id);
    expect((await client("later").responses.retrieve(queued.id)).output_text).toBe("Late.");
    const step = await onlyStep(gateway, "later");
    expect(step).toMatchObject({ step_id: 1, status_code: 200 });
    expect(step.meta).toMatchObject({ outcome: "completed", completion_tokens: 5 });
    expect(JSON.parse(step.response ?? "").id).toBe(queued.id);
    const session = sessionClient(gateway, "later");
    expect((await session.latestSuccessStep("policy")).step_id).toBe(1);
    expect((await session.status()).models.policy).toMatchObject({ steps: 1, successes: 1 });
    await restart();
    await client("later").responses.retrieve(queued.id);
    expect(await onlyStep(gateway, "later")).toEqual(step);
  });
});

test("a conversation that could not be found after a restart is refused", async () => {
  const sdk = client("unkept");
  await sdk.responses.create(question);
  gateway.database((open) => open.exec("alter table session_conversations rename to away"));
  await expect(sdk.conversations.create({})).rejects.toMatchObject({
    status: 503,
    code: "telemetry_unavailable",
  });
  gateway.database((open) => open.exec("alter table away rename to session_conversations"));
  const { id } = await sdk.conversations.create({});
  expect((await sdk.conversations.retrieve(id)).id).toBe(id);
});

test("a session does not find another session's objects", async () => {
  const { id } = await client("mine").responses.create(question);
  await expect(client("yours").responses.retrieve(id)).rejects.toThrow(NotFoundError);
  await expect(client(null).responses.retrieve(id)).rejects.toThrow(NotFoundError);
});

test.each([
  ["PUT", "/responses/resp_1", 404],
  ["GET", "/responses/compact", 405],
  ["GET", "/responses/resp_1/other", 404],
  ["DELETE", "/conversations", 404],
  ["GET", "/responses/..%2fx", 404],
])("%s %s is %i", async (method, path, status) => {
  for (const base of ["/v1", "/v1/sessions/s", "/v1/sessions/s/v1"]) {
    const answer = await fetch(gateway.url + base + path, { method });
    expect(answer.status).toBe(status);
  }
});
