import { createHash } from "node:crypto";
import { endpointsByName, readRequestBody } from "@proj/model-apis";
import { expect, test } from "vitest";
import { BodyMemory } from "../../src/call/body-memory.ts";
import { Histories, type History } from "../../src/recording/histories.ts";

const say = (content: string): string => JSON.stringify({ role: "user", content });
const long = say("x".repeat(20_000));

/** In memory of their own, as a body that has arrived in several chunks. */
function bytesOf(messages: readonly string[]): Buffer {
  const text = `{"model":"m","messages":[${messages.join(",")}],"n":1}`;
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text));
  bytes.write(text);
  return bytes;
}

/** A body whose call is over. */
function historyOf(row_id: number, bytes: Buffer, former: History | null): History {
  const body = readRequestBody(bytes, "messages", former?.body);
  const memory = new BodyMemory(bytes);
  const digest = createHash("sha256");
  return {
    body,
    memory,
    endpoint: endpointsByName.chat_completions,
    row_id,
    request_id: "",
    links: 0,
    digest,
  };
}

/** Sends a body as a session's next one, and returns the history that it continued. */
function step(
  histories: Histories,
  row_id: number,
  bytes: Buffer,
  session_id = "s",
): History | null {
  const former = histories.find(session_id, endpointsByName.chat_completions, bytes);
  const history = historyOf(row_id, bytes, former);
  histories.keep(session_id, history, former);
  history.memory.release();
  return former;
}

test("of a conversation, only the latest body has memory", () => {
  const histories = new Histories();
  const messages = [long];
  for (let row_id = 1; row_id <= 40; row_id += 1) {
    messages.push(say(`${row_id} ${"x".repeat(row_id % 7)}`));
    const bytes = bytesOf(messages);
    const former = step(histories, row_id, bytes);
    expect(former?.row_id ?? 0).toBe(row_id - 1);
    expect(former?.body.bytes.length ?? 0).toBe(0);
    const kept = histories.find(
      "s",
      endpointsByName.chat_completions,
      bytesOf([...messages, say("next")]),
    );
    expect(kept?.body.bytes).toBe(bytes);
    expect(bytes.toString()).toBe(bytesOf(messages).toString());
  }
});

test("a body whose call goes on keeps its memory when a longer one takes its place", () => {
  const histories = new Histories();
  const bytes = bytesOf([long]);
  const first = historyOf(1, bytes, null);
  histories.keep("s", first, null);
  expect(step(histories, 2, bytesOf([long, say("on")]))).toBe(first);
  expect(bytes.length).toBeGreaterThan(20_000);
  first.memory.release();
  expect(bytes.length).toBe(0);
});

test("two bodies that continue the same one are both kept, whichever is stored first", () => {
  const histories = new Histories();
  const start = [long];
  step(histories, 1, bytesOf(start));
  const branches = ["one", "other"].map((word) => bytesOf([...start, say(word)]));
  const former = branches.map((bytes) =>
    histories.find("s", endpointsByName.chat_completions, bytes),
  );
  const begun = branches.map((bytes, index) => historyOf(2 + index, bytes, former[index] ?? null));
  for (const [index, history] of begun.entries()) {
    histories.keep("s", history, former[index] ?? null);
    history.memory.release();
  }
  for (const [index, word] of ["one", "other"].entries()) {
    const next = bytesOf([...start, say(word), say("on")]);
    expect(histories.find("s", endpointsByName.chat_completions, next)?.row_id).toBe(2 + index);
  }
});

test("a history that gives way to others has no memory", () => {
  const histories = new Histories(100_000);
  const next = bytesOf([long, say("on")]);
  const kept = ["first", "second", "third", "fourth", "fifth"].map((session_id, index) => {
    step(histories, index, bytesOf([long]), session_id);
    return histories.find(session_id, endpointsByName.chat_completions, next);
  });
  const { length } = bytesOf([long]);
  expect(kept.map((history) => history?.body.bytes.length)).toEqual([
    0,
    ...Array.from({ length: 4 }, () => length),
  ]);
  histories.forget("third");
  expect(kept[2]?.body.bytes.length).toBe(0);
  // There is room for another one now.
  step(histories, 6, bytesOf([long]), "sixth");
  expect(kept[1]?.body.bytes.length).toBe(length);
});
