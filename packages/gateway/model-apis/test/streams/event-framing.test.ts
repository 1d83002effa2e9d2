import { expect, test } from "vitest";
import { EventFraming } from "../../src/streams/event-framing.ts";

/** The data of all events in a stream that arrives in these chunks. */
function readEvents(chunks: readonly Uint8Array[]): string[] {
  const framing = new EventFraming(1e6);
  const events: string[] = [];
  for (const chunk of chunks) {
    framing.feed(chunk);
    for (let kind = framing.next(); kind !== null; kind = framing.next()) {
      if (kind === "event") events.push(framing.dataText());
    }
  }
  return events;
}

test.each([
  ["data: a\n\ndata: b\n\n", ["a", "b"]],
  ["data: a\r\n\r\ndata: b\r\n\r\n", ["a", "b"]],
  ["data: a\r\ndata: b\r\n\r\n", ["a\nb"]],
  ["data: a\r\rdata: b\r\r", ["a", "b"]],
  ["data: a\r\n\ndata: b\n\r\n", ["a", "b"]],
  ["data:a\n\n", ["a"]],
  ["data:  a \n\n", [" a "]],
  ["data\n\n", [""]],
  ["data:\n\n", [""]],
  ["data: a\ndata\ndata:b\n\n", ["a\n\nb"]],
  [": c\ndata: a\n: c\nid: 1\nretry: 5\nevent: x\nother\ndata: b\n\n", ["a\nb"]],
  ["\u{feff}data: a\n\n\u{feff}data: b\n\n", ["a"]],
  ["\n\n\ndata: a\n\n\n\n", ["a"]],
  ["data: 😀é\n\n", ["😀é"]],
  ["datas: a\n\ndat: a\n\nDATA: a\n\n", []],
  ["data: a\n", []],
  ["data: a", []],
])("%j holds %j, cut anywhere", (text, expected) => {
  const bytes = Buffer.from(text);
  expect(readEvents([bytes])).toEqual(expected);
  expect(readEvents([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(expected);
  for (let at = 1; at < bytes.length; at++) {
    expect(readEvents([bytes.subarray(0, at), new Uint8Array(0), bytes.subarray(at)])).toEqual(
      expected,
    );
  }
});

test("half a byte order mark spoils only the first line", () => {
  const bytes = Buffer.concat([Buffer.of(0xef, 0xbb), Buffer.from("data: a\n\ndata: b\n\n")]);
  expect(readEvents([bytes])).toEqual(["b"]);
  expect(readEvents([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(["b"]);
});

test("only the beginning of an event over the bound is kept, and the next event is whole", () => {
  const framing = new EventFraming(1_000);
  const seen: [boolean, number][] = [];
  for (const text of [
    "data: ",
    ...("x".repeat(5_000).match(/.{100}/g) ?? []),
    "\ndata: y\n",
    "\n",
    "data: z\n\n",
  ]) {
    framing.feed(Buffer.from(text));
    for (let kind = framing.next(); kind !== null; kind = framing.next()) {
      if (kind === "event") seen.push([framing.oversized, framing.dataBytes().length]);
    }
  }
  expect(seen).toEqual([
    [true, 994],
    [false, 1],
  ]);
});
