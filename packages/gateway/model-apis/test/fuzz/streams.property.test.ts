import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { beginsAsEvents, decodeContent } from "../../src/decoding/index.ts";
import { endpointsByName } from "../../src/index.ts";
import type { StreamReader } from "../../src/streams/stream-reader.ts";
import { cut, Dice, type Manner, manners, writeEvents } from "../streams/event-stream-writer.ts";
import { apiStreams } from "./api-streams.ts";
import type { Form } from "./form.ts";
import {
  held,
  isAnswer,
  type Json,
  officialBytes,
  own,
  type StreamedApi,
} from "./official-client.ts";

// What a row has of a stream is what the API's official client holds of it, in whatever form a server sends it. Where
// the client reads the form, it gets the same bytes; where it fails or mixes things up, it gets the same answer as the
// API's own service sends it.

interface Coding {
  readonly header: string;
  readonly encode: (bytes: Buffer) => Buffer;
}

const plain = ["", "none", "identity", "utf-8"].map((header): Coding => {
  return { header, encode: (bytes) => bytes };
});
const coded: readonly Coding[] = [
  { header: "gzip", encode: gzipSync },
  { header: "deflate", encode: deflateSync },
  { header: "deflate", encode: deflateRawSync },
  { header: "br", encode: brotliCompressSync },
  { header: "gzip, gzip", encode: (bytes) => gzipSync(gzipSync(bytes)) },
  { header: "gzip, none, br", encode: (bytes) => brotliCompressSync(gzipSync(bytes)) },
];
const codings = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...plain) },
  { weight: 1, arbitrary: fc.constantFrom(...coded) },
);

/** At most one form of each kind. */
const someOf = (forms: readonly Form[]): fc.Arbitrary<readonly Form[]> =>
  fc.subarray([...forms], { maxLength: 4 }).map((chosen) => {
    const kinds = new Set<string>();
    return chosen.filter(({ kind }) => !kinds.has(kind) && kinds.add(kind));
  });

/** Reads it as the gateway does. Every byte must be passed on. */
async function read(
  api: StreamedApi,
  bytes: Buffer,
  manner: Manner,
  coding: Coding,
): Promise<StreamReader> {
  const decoded = await decodeContent(coding.encode(bytes), coding.header, 1e7);
  expect(Buffer.compare(decoded, bytes)).toBe(0);
  const reader = endpointsByName[api].openStream?.({ assemble: true, maxBytes: 1e6 });
  if (reader == null) throw new Error(`${api} does not stream`);
  const passed = cut(bytes, manner).flatMap((piece) => [...reader.push(piece)]);
  expect(Buffer.concat([...passed, ...reader.tail()]).equals(bytes)).toBe(true);
  reader.end();
  return reader;
}

describe.each(apiStreams)("$api", ({ api, runs, forms, events, end }) => {
  test(`${runs} streams in the forms of the world`, { timeout: 300_000 }, async () => {
    const seen = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        events,
        someOf(forms),
        fc.integer(),
        manners,
        codings,
        async (official, chosen, seed, manner, coding) => {
          const clientReads = chosen.every((form) => form.clientReads) && api !== "messages";
          const dice = new Dice(seed);
          let sent: readonly (Json | string)[] = structuredClone(official) as Json[];
          for (const form of chosen) {
            sent = form.apply(sent, dice);
            seen.add(form.name);
          }
          // The client takes lines without data for events whose data are not JSON.
          const quiet = { ...manner, noise: manner.noise && !clientReads };
          const { bytes } = writeEvents([...sent, ...end], quiet);
          const asked = clientReads ? bytes : officialBytes([...official, ...end]);
          const facts = (await read(api, bytes, quiet, coding)).facts();
          if (chosen.some(({ leavesNothing }) => leavesNothing)) {
            const answer = (await held(api, bytes).catch(() => null)) as Json | null;
            expect(answer === null || !isAnswer(answer)).toBe(true);
            expect(facts.no_answer).not.toBeNull();
            return;
          }
          const expected = (await held(api, asked)) as Json;
          for (const form of chosen) form.changes?.(expected);
          expect(own(JSON.parse(String(facts.text)))).toEqual(expected);
          expect(facts.no_answer === null).toBe(isAnswer(expected));
          const isUnreadable = chosen.some(({ kind }) => kind === "unreadable");
          expect(facts.unreadable !== null).toBe(isUnreadable);
          expect(facts).toMatchObject({ complete: true, error: null });
          if (!quiet.noise) expect(beginsAsEvents(bytes)).toBe(true);
        },
      ),
      { numRuns: runs },
    );
    expect([...seen].sort()).toEqual(forms.map(({ name }) => name).sort());
  });
});
