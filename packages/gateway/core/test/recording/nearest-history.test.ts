import { createHash } from "node:crypto";
import { endpointsByName, readRequestBody } from "@proj/model-apis";
import { expect, test } from "vitest";
import { BodyMemory } from "../../src/call/body-memory.ts";
import { Histories, type History } from "../../src/recording/histories.ts";

const bodyOf = (content: string, model: string) =>
  readRequestBody(Buffer.from(JSON.stringify({ messages: [{ content }], model })), "messages");

function keep(histories: Histories, row_id: number, content: string, model: string): void {
  const digest = createHash("sha256");
  const body = bodyOf(content, model);
  const memory = new BodyMemory(body.bytes);
  const history: History = {
    body,
    memory,
    endpoint: endpointsByName.chat_completions,
    row_id,
    request_id: "",
    links: 0,
    digest,
  };
  histories.keep("s", history, null);
}

test("another model's history is not a base, however similar it is", () => {
  const histories = new Histories();
  keep(histories, 1, `${"a".repeat(80)}${"b".repeat(20)}`, "policy");
  keep(histories, 2, "a".repeat(99), "judge");
  const nearest = histories.nearest(
    "s",
    endpointsByName.chat_completions,
    bodyOf("a".repeat(100), "policy"),
  );
  expect(nearest?.history.row_id).toBe(1);
});

test("a history is a base if more than half of the messages are shared", () => {
  const length = 100;
  const body = bodyOf("a".repeat(length), "policy");
  const half = (body.messages_end - body.messages_start) / 2;
  // The bytes before the content count too.
  const before = body.bytes.indexOf("aaa") - body.messages_start;
  for (const [more, isBase] of [
    [0, false],
    [1, true],
  ] as const) {
    const histories = new Histories();
    const shared = half - before + more;
    keep(histories, 1, "a".repeat(shared) + "b".repeat(length - shared), "policy");
    expect(histories.nearest("s", endpointsByName.chat_completions, body) !== null, `${more}`).toBe(
      isBase,
    );
  }
});
