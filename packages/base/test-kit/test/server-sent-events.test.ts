import { expect, test } from "vitest";
import { readAllServerSentEvents, type ServerSentEvent } from "../src/index.ts";

async function read(text: string, pieceLength: number): Promise<ServerSentEvent[]> {
  const bytes = Buffer.from(text);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < bytes.length; at += pieceLength)
      yield bytes.subarray(at, at + pieceLength);
  }
  return readAllServerSentEvents(pieces());
}

const event = (members: Partial<ServerSentEvent>): ServerSentEvent => ({
  event: null,
  data: null,
  comment: null,
  complete: true,
  ...members,
});

test.each(["\n", "\r\n", "\r"])(
  "reads events that are cut anywhere, with lines that end in %j",
  async (end) => {
    const text = [
      "data: eins 🦦",
      "data:zwei",
      "",
      "",
      ": still here",
      "",
      "event: x",
      "id: 1",
      "data",
      "",
      "",
    ];
    for (const pieceLength of [1, 2, 3, 1000]) {
      expect(await read(text.join(end), pieceLength)).toEqual([
        event({ data: "eins 🦦\nzwei" }),
        event({ comment: "still here" }),
        event({ event: "x", data: "" }),
      ]);
    }
  },
);

test("a last event without its blank line is marked incomplete", async () => {
  expect(await read("data: a\n\ndata: b\n", 4)).toEqual([
    event({ data: "a" }),
    event({ data: "b", complete: false }),
  ]);
  expect(await read("data: hal", 4)).toEqual([event({ data: "hal", complete: false })]);
});

test("a missing body has no events", async () => {
  expect(await readAllServerSentEvents(null)).toEqual([]);
});
