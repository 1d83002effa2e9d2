import fc from "fast-check";
import { expect, test } from "vitest";
import { ResponseStreamReader } from "../../src/responses/response-stream-reader.ts";
import { cut, type Manner, manners, writeEvents } from "./event-stream-writer.ts";
import { createdResponse, responses, streamResponse, withoutDone } from "./model-responses.ts";

function createReader(): ResponseStreamReader {
  return new ResponseStreamReader({ assemble: true, maxBytes: 1e6 });
}

function pushAll(reader: ResponseStreamReader, bytes: Buffer, manner: Manner): Buffer {
  const passed: Uint8Array[] = [];
  for (const piece of cut(bytes, manner)) passed.push(...reader.push(piece));
  return Buffer.concat(passed);
}

test("a streamed response is kept byte for byte, and passes unchanged except for its end", () => {
  fc.assert(
    fc.property(
      responses,
      fc.integer(),
      fc.boolean(),
      manners,
      (response, seed, withDone, manner) => {
        const { bytes, lastEventStart } = writeEvents(
          streamResponse(response, seed, withDone),
          manner,
        );
        const reader = createReader();
        const passed = pushAll(reader, bytes, manner);
        expect(reader.terminal).toBe(true);
        expect(reader.complete).toBe(true);
        expect(Buffer.concat([passed, ...reader.tail()]).equals(bytes)).toBe(true);
        // Only the terminal event is withheld, and at most lines without data before it.
        expect(passed.length).toBeLessThanOrEqual(lastEventStart);
        expect(bytes.toString("utf8", passed.length, lastEventStart)).not.toMatch(/^data:/m);
        const facts = reader.facts();
        const text = manner.prettyPrinted
          ? JSON.stringify(JSON.parse(String(facts.text)))
          : String(facts.text);
        expect(text).toBe(JSON.stringify(response));
        expect(facts).toMatchObject({
          finish_reason: response.status,
          error: null,
          truncated: false,
          prompt_tokens: (response.usage as { input_tokens: number }).input_tokens,
        });
      },
    ),
    { numRuns: 150 },
  );
});

test("an event is passed on only once its blank line has come", () => {
  fc.assert(
    fc.property(responses, fc.integer(), manners, (response, seed, manner) => {
      const events = streamResponse(response, seed, true).slice(0, -1);
      const reader = createReader();
      for (const event of events) {
        const { bytes } = writeEvents([event], { ...manner, byteOrderMark: false, noise: false });
        const blankLine = manner.lineEnding.length;
        expect(pushAll(reader, bytes.subarray(0, -blankLine), manner)).toHaveLength(0);
        const rest = Buffer.concat(reader.push(bytes.subarray(-blankLine)));
        expect(rest.equals(bytes)).toBe(true);
        expect(reader.betweenEvents).toBe(true);
        expect(reader.nextSequenceNumber).toBe(Number(event.sequence_number) + 1);
      }
    }),
    { numRuns: 30 },
  );
});

test("a response whose stream broke off is built from the events about its items", () => {
  fc.assert(
    fc.property(
      responses,
      fc.integer(),
      fc.boolean(),
      manners,
      (response, seed, withDone, manner) => {
        const { bytes, lastEventStart } = writeEvents(
          streamResponse(response, seed, withDone),
          manner,
        );
        const reader = createReader();
        pushAll(reader, bytes.subarray(0, lastEventStart), manner);
        expect(reader.complete).toBe(false);
        const output = withDone ? response.output : response.output.map(withoutDone);
        const facts = reader.facts();
        expect(JSON.parse(String(facts.text))).toEqual(
          JSON.parse(JSON.stringify({ ...createdResponse(response), output })),
        );
        expect(facts.finish_reason).toBeNull();
      },
    ),
    { numRuns: 150 },
  );
});
