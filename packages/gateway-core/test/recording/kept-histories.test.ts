import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readRequestBody } from "../../src/bodies/request-body.ts";
import { chatCompletions } from "../../src/endpoints/chat-completions/chat-completions.ts";
import { Histories, type History } from "../../src/recording/histories.ts";

const say = (content: string): string => JSON.stringify({ role: "user", content });
const bytesOf = (messages: readonly string[]): Buffer =>
  Buffer.from(`{"model":"m","messages":[${messages.join(",")}],"n":1}`);

/** Sends a body as a session's next one, and returns the history that it continued. */
function step(
  histories: Histories,
  row_id: number,
  bytes: Buffer,
  session_id = "s",
): History | null {
  const former = histories.find(session_id, chatCompletions, bytes);
  const body = readRequestBody(bytes, "messages", former?.body);
  const digest = createHash("sha256");
  histories.keep(session_id, { body, endpoint: chatCompletions, row_id, links: 0, digest }, former);
  return former;
}

test("a conversation's memory goes from each step to the next, and only the former step loses it", () => {
  const histories = new Histories();
  const messages: string[] = [];
  const memories = new Set<number>();
  for (let row_id = 1; row_id <= 40; row_id += 1) {
    messages.push(say(`${row_id} ${"x".repeat(row_id % 7)}`));
    const bytes = bytesOf(messages);
    const former = step(histories, row_id, bytes);
    expect(former?.row_id ?? 0).toBe(row_id - 1);
    expect(former?.body.bytes.length ?? 0).toBe(0);
    const kept = histories.find("s", chatCompletions, bytesOf([...messages, say("next")]));
    expect(kept?.body.bytes.toString()).toBe(bytes.toString());
    expect(kept?.body.bytes.buffer).not.toBe(bytes.buffer);
    memories.add(kept?.body.bytes.buffer.byteLength ?? 0);
  }
  expect(memories.size).toBeLessThan(20);
});

test("two bodies that continue the same one are both kept, whichever is stored first", () => {
  const histories = new Histories();
  const start = [say("begin")];
  step(histories, 1, bytesOf(start));
  const branches = ["one", "other"].map((word) => bytesOf([...start, say(word)]));
  const former = branches.map((bytes) => histories.find("s", chatCompletions, bytes));
  for (const [index, bytes] of branches.entries()) {
    const body = readRequestBody(bytes, "messages");
    const digest = createHash("sha256");
    const history = { body, endpoint: chatCompletions, row_id: 2 + index, links: 1, digest };
    histories.keep("s", history, former[index] ?? null);
  }
  for (const [index, word] of ["one", "other"].entries()) {
    const next = bytesOf([...start, say(word), say("on")]);
    expect(histories.find("s", chatCompletions, next)?.row_id).toBe(2 + index);
  }
});

test("a history that gives way to others has no memory", () => {
  const histories = new Histories(5_000);
  const bytes = bytesOf([say("x".repeat(900))]);
  const next = bytesOf([say("x".repeat(900)), say("on")]);
  const kept = ["first", "second", "third", "fourth", "fifth"].map((session_id, index) => {
    step(histories, index, bytes, session_id);
    return histories.find(session_id, chatCompletions, next);
  });
  expect(kept.map((history) => history?.body.bytes.length)).toEqual([
    0,
    ...Array.from({ length: 4 }, () => bytes.length),
  ]);
  histories.forget("third");
  expect(kept[2]?.body.bytes.length).toBe(0);
  // There is room for another one now.
  step(histories, 6, bytes, "sixth");
  expect(kept[1]?.body.bytes.length).toBe(bytes.length);
});

test("a much shorter history does not hold the memory of the longer one before it", () => {
  const histories = new Histories();
  const start = [say("begin")];
  step(histories, 1, bytesOf([...start, say("x".repeat(10_000))]));
  step(
    histories,
    2,
    Buffer.from(`{"model":"m","messages":[${start}],"user":"${"y".repeat(9_000)}"}`),
  );
  const longer = bytesOf([...start, say("on")]);
  expect(step(histories, 3, longer)?.row_id).toBe(2);
  const kept = histories.find("s", chatCompletions, bytesOf([...start, say("on"), say("on")]));
  expect(kept?.body.bytes.toString()).toBe(longer.toString());
  expect(kept?.body.bytes.buffer.byteLength).toBeLessThan(2 * longer.length);
});
