import { NotFoundError } from "openai";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stepsOnceThereAre } from "../telemetry/bound-calls.ts";
import { StoringGateway } from "./storing-gateway.ts";

// Objects that an upstream stores can be fetched through the gateway, by the session that created them and
// from the replica that has them.

let storing: StoringGateway;

beforeAll(async () => {
  storing = await StoringGateway.start();
});
afterAll(() => storing[Symbol.asyncDispose]());

const question = { model: "policy", input: "Hello" };

const sentInAll = (): number =>
  storing.replicas.reduce((sum, { requests }) => sum + requests.length, 0);

describe.each(["session", "none"])("with %s bound", (bound) => {
  const session_id = (name: string): string | null => (bound === "none" ? null : `stored-${name}`);

  test("a response is found at the replica that made it, and takes no step", async () => {
    const { responses } = storing.client(session_id("found"));
    const made = await Promise.all(
      [1, 2, 3].map((n) => responses.create({ ...question, input: `${n}` })),
    );
    for (const { id } of made) {
      expect((await responses.retrieve(id, { include: ["reasoning.encrypted_content"] })).id).toBe(
        id,
      );
      const { path, headers, body } = storing.holderOf(id).requests.at(-1) ?? {};
      expect(path).toMatch(new RegExp(`^/v1/responses/${id}\\?include`));
      expect(headers).toMatchObject({ authorization: "Bearer upstream-key" });
      expect(body).toHaveLength(0);
      const items = await responses.inputItems.list(id, { limit: 5 });
      expect(items.data[0]).toMatchObject({ query: "limit=5" });
    }
    if (bound === "session")
      expect(await stepsOnceThereAre(storing.gateway, "stored-found", 3)).toHaveLength(3);
  });

  test("a streamed response is found, and gone when it was deleted", async () => {
    const { responses } = storing.client(session_id("stream"));
    let id = "";
    for await (const event of await responses.create({ ...question, stream: true }))
      if (event.type === "response.created") ({ id } = event.response);
    expect((await responses.retrieve(id)).id).toBe(id);
    await responses.delete(id);
    await expect(responses.retrieve(id)).rejects.toThrow(NotFoundError);
  });

  test("a conversation is created, filled and read", async () => {
    const sdk = storing.client(session_id("talk"));
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
    const sent = sentInAll();
    const { responses } = storing.client(session_id("unknown"));
    await expect(responses.retrieve("resp_other")).rejects.toMatchObject({
      status: 404,
      error: { message: "Response with id 'resp_other' not found.", param: "id" },
    });
    expect(sentInAll()).toBe(sent);
  });
});

describe("after a restart", () => {
  test("a response is found at the replica that made it, by its own session alone", async () => {
    const sdk = storing.client("again").responses;
    const ids: string[] = [];
    // A session stays with one replica; with several sessions, both replicas have created some.
    for (let n = 0; n < 3; n += 1) ids.push((await sdk.create({ ...question, input: `${n}` })).id);
    const others = await Promise.all(
      ["a", "b", "c", "d"].map(async (name) => {
        const made = await storing.client(`again-${name}`).responses.create(question);
        return { name: `again-${name}`, id: made.id };
      }),
    );
    await storing.restart();
    for (const { name, id } of [...ids.map((id) => ({ name: "again", id })), ...others]) {
      expect((await storing.client(name).responses.retrieve(id)).id).toBe(id);
      expect(storing.holderOf(id).requests.at(-1)?.path).toBe(`/v1/responses/${id}`);
    }
    await expect(storing.client("yours").responses.retrieve(ids[0] ?? "")).rejects.toThrow(
      NotFoundError,
    );
    await storing.client("again").responses.delete(ids[0] ?? "");
    await expect(storing.client("again").responses.retrieve(ids[0] ?? "")).rejects.toThrow(
      NotFoundError,
    );
  });

  test("a conversation is found at the replica that made it, by its own session alone", async () => {
    const names = ["a", "b", "c", "d"].map((name) => `talk-${name}`);
    const made = await Promise.all(
      names.map(async (name) => {
        await storing.client(name).responses.create(question);
        return { name, id: (await storing.client(name).conversations.create({})).id };
      }),
    );
    await storing.restart();
    for (const { name, id } of made) {
      expect((await storing.client(name).conversations.retrieve(id)).id).toBe(id);
      expect(storing.holderOf(id).requests.at(-1)?.path).toBe(`/v1/conversations/${id}`);
      await expect(storing.client("yours").conversations.retrieve(id)).rejects.toThrow(
        NotFoundError,
      );
    }
  });

  test("a session makes conversations where its latest response was made", async () => {
    await storing.client("talks").responses.create(question);
    await storing.restart();
    const { id } = await storing.client("talks").conversations.create({});
    expect(storing.holderOf(id).requests.at(-1)).toMatchObject({
      path: "/v1/conversations",
      headers: { authorization: "Bearer upstream-key" },
    });
  });
});

test("a conversation that could not be found after a restart is refused", async () => {
  const sdk = storing.client("unkept");
  await sdk.responses.create(question);
  storing.gateway.database((open) => open.exec("alter table session_conversations rename to away"));
  await expect(sdk.conversations.create({})).rejects.toMatchObject({
    status: 503,
    code: "telemetry_unavailable",
  });
  storing.gateway.database((open) => open.exec("alter table away rename to session_conversations"));
  const { id } = await sdk.conversations.create({});
  expect((await sdk.conversations.retrieve(id)).id).toBe(id);
});

test("a session does not find another session's objects", async () => {
  const { id } = await storing.client("mine").responses.create(question);
  await expect(storing.client("yours").responses.retrieve(id)).rejects.toThrow(NotFoundError);
  await expect(storing.client(null).responses.retrieve(id)).rejects.toThrow(NotFoundError);
});

test.each([
  ["PUT", "/responses/resp_1", 404],
  ["GET", "/responses/compact", 405],
  ["GET", "/responses/resp_1/other", 404],
  ["DELETE", "/conversations", 404],
  ["GET", "/responses/..%2fx", 404],
])("%s %s is %i", async (method, path, status) => {
  for (const base of ["/v1", "/v1/sessions/s", "/v1/sessions/s/v1"]) {
    const answer = await fetch(storing.gateway.url + base + path, { method });
    expect(answer.status).toBe(status);
  }
});
