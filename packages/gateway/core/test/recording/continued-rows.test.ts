import { afterAll, beforeAll, expect, test } from "vitest";
import { StoringGateway } from "../endpoints/storing-gateway.ts";

// A row names the row that its request continues, also after a restart; what is in no row is said to be missing.

let storing: StoringGateway;
beforeAll(async () => {
  storing = await StoringGateway.start();
});
afterAll(() => storing[Symbol.asyncDispose]());

const question = { model: "policy", input: "Hello" };

const rowsOf = (session_id: string) =>
  storing.gateway
    .steps(session_id)
    .map(({ request_id, messages, meta: { continues, history } }) => ({
      ...{ request_id, messages, continues, history },
    }));

test("a response names its parent's row, which is found after a restart too", async () => {
  const { responses } = storing.client("chain");
  const first = await responses.create(question);
  const second = await responses.create({ ...question, previous_response_id: first.id });
  await storing.restart();
  const again = storing.client("chain").responses;
  await again.create({ ...question, previous_response_id: second.id });
  await again.create({ ...question, previous_response_id: first.id });
  const [one, two, three, four] = rowsOf("chain");
  expect(one).not.toHaveProperty("continues.by");
  const by = "previous_response_id";
  expect(two?.continues).toEqual({ request_id: one?.request_id, by, id: first.id });
  expect(three?.continues).toEqual({ request_id: two?.request_id, by, id: second.id });
  expect(four?.continues).toEqual({ request_id: one?.request_id, by, id: first.id });
  for (const row of rowsOf("chain"))
    expect(row).toMatchObject({ messages: '"Hello"', history: undefined });
});

test("another session's response is not known", async () => {
  const { id } = await storing.client("mine").responses.create(question);
  await storing.client("yours").responses.create({ ...question, previous_response_id: id });
  expect(rowsOf("yours")).toMatchObject([
    { continues: { request_id: null, id }, history: "partial" },
  ]);
});

test("a conversation's rows follow one another, unless others changed it", async () => {
  const sdk = storing.client("talk");
  await sdk.responses.create(question);
  const { id: conversation } = await sdk.conversations.create({});
  const turn = () => sdk.responses.create({ ...question, conversation });
  await turn();
  await turn();
  const item = { type: "message" as const, role: "user" as const, content: "Hi" };
  await sdk.conversations.items.create(conversation, { items: [item] });
  await turn();
  await turn();
  const rows = rowsOf("talk").slice(1);
  expect(rows.map(({ history }) => history)).toEqual([undefined, undefined, "partial", undefined]);
  const parents = [null, ...rows.slice(0, -1).map(({ request_id }) => request_id)];
  expect(rows.map(({ continues }) => continues)).toEqual(
    parents.map((request_id) => ({ request_id, by: "conversation", id: conversation })),
  );
});

test("a conversation that begins with items, or was made elsewhere, is known in part", async () => {
  const sdk = storing.client("filled");
  await sdk.responses.create(question);
  const item = { type: "message" as const, role: "user" as const, content: "Hi" };
  const { id } = await sdk.conversations.create({ items: [item] });
  await sdk.responses.create({ ...question, conversation: { id } });
  await sdk.responses.create({ ...question, conversation: "conv_elsewhere" });
  const [, filled, elsewhere] = rowsOf("filled");
  expect([filled?.history, elsewhere?.history]).toEqual(["partial", "partial"]);
});
