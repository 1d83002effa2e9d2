import type { AnswerPiece } from "@proj/model-apis";
import fc from "fast-check";
import { expect, test } from "vitest";
import { CallsInText } from "../../src/prompts/wire/calls-in-text.ts";
import { SettledTokens } from "../../src/prompts/wire/settled-tokens.ts";

interface Call {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

const tools = ["press", "press_all", "go"];
const anyText = fc.string({ unit: fc.constantFrom(...'ab{}[]"\\/<>:, \né😀中') });
const anyCall: fc.Arbitrary<Call> = fc.record({
  name: fc.constantFrom(...tools),
  arguments: fc.dictionary(
    anyText,
    fc.oneof(anyText, fc.integer(), fc.array(anyText), fc.constant({ a: {} })),
  ),
});

/** How models write calls, and what an engine's parser gives out of them at any time. */
const forms: Readonly<Record<string, (call: Call) => string>> = {
  hermes: (call) => `\n<tool_call>\n${JSON.stringify(call)}\n</tool_call>`,
  spaced: ({ name, ...call }) =>
    `[CALL] { "name" : "${name}" , "parameters": ${JSON.stringify(call.arguments)} } `,
  named: ({ name, ...call }) => `<|call|>${name}<|sep|>${JSON.stringify(call.arguments)}<|end|>`,
};

const piecesOf = (calls: readonly Call[], from = 0): AnswerPiece[] =>
  calls.flatMap((it, at) => [
    { kind: "tool_call", call: from + at, id: `id-${from + at}`, name: it.name },
    { kind: "arguments", call: from + at, text: JSON.stringify(it.arguments) },
  ]);

/** Neighbouring pieces of one call's arguments are one. */
const joined = (pieces: readonly AnswerPiece[]): unknown[] => {
  const all: AnswerPiece[] = [];
  for (const piece of pieces) {
    const last = all.at(-1);
    if (piece.kind !== "arguments" || last?.kind !== "arguments") all.push(piece);
    else all[all.length - 1] = { ...piece, text: last.text + piece.text };
  }
  return all;
};

test.each(Object.keys(forms))(
  "calls cut off anywhere in their arguments are the same: %s",
  (form) => {
    const write = forms[form] ?? String;
    fc.assert(
      fc.property(
        fc.array(anyCall, { minLength: 1, maxLength: 3 }),
        fc.nat(),
        fc.nat(),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        (calls, whole, cut, sizes) => {
          // One of them is open: its arguments are given out up to somewhere.
          const open = whole % calls.length;
          const { name = "", arguments: given = {} } = calls[open] ?? {};
          const json = JSON.stringify(given);
          const length = 1 + (cut % json.length);
          // Prose behind a call is never one, whatever it quotes.
          const prose = `I used press { and {"name": "press", "arguments": {}}. press{"a":1}`;
          const before = calls.slice(0, open).map(write).join("");
          const own = write({ name, arguments: given });
          const at = before.length + own.lastIndexOf(json) + length;
          const text = calls.map(write).join("");
          const settled = new SettledTokens(false);
          // Some tokens came whose text was not given out.
          const lag = cut % 3;
          const seen = [...text.slice(0, at + lag)];
          const begun: AnswerPiece[] = [
            ...piecesOf(calls.slice(0, open)),
            { kind: "tool_call", call: open, id: `id-${open}`, name },
            { kind: "arguments", call: open, text: json.slice(0, length) },
          ];
          settled.add(
            seen.length,
            seen.map((token) => ({ token })),
            begun,
          );
          const { last } = settled;
          const place = settled.behind(null);
          if (typeof last === "string" || place === null) throw new Error("no call is open");
          const inCalls = new CallsInText({ open: last, tools, idOfCall: (it) => `id-${it}` });
          const pieces = [...begun, ...inCalls.push(place.text)];
          let rest = text.slice(seen.join("").length) + prose;
          for (let turn = 0; rest !== ""; turn += 1) {
            const size = sizes[turn % sizes.length] ?? 1;
            pieces.push(...inCalls.push(rest.slice(0, size)));
            rest = rest.slice(size);
          }
          expect(joined(pieces)).toEqual(joined(piecesOf(calls)));
        },
      ),
      { numRuns: 200 },
    );
  },
);

test("a long text behind a call is read once, and kept nowhere", () => {
  const open = { call: 0, given: "{}", opening: "<call>", middle: "=" };
  const inCalls = new CallsInText({ open, tools, idOfCall: String });
  const piece = "<call>press {<cal";
  let made = 0;
  for (let length = 0; length < 1_000_000; length += piece.length)
    for (const byte of piece) made += inCalls.push(byte).length;
  expect(made).toBe(0);
  expect(inCalls.push("l>go={}")).toHaveLength(2);
});

test("a call whose arguments never begin as JSON is lost", () => {
  const open = { call: 0, given: "", opening: "<call>", middle: null };
  const inCalls = new CallsInText({ open, tools, idOfCall: String });
  expect(inCalls.push(`">${"<parameter=key>{".repeat(20)}`)).toEqual([]);
  expect(inCalls.isLost).toBe(true);
});

test("a place is found behind a held-back text where no stop text may have begun", () => {
  const behind = (texts: readonly string[], given: string, ...stops: string[]) => {
    const settled = new SettledTokens(true);
    const pieces = [{ kind: "text", text: given } as const];
    settled.add(
      texts.length,
      texts.map((token) => ({ token })),
      pieces,
    );
    return settled.behind(stops);
  };
  expect(behind(["One", " two", " three"], "One t", "\nEnd")).toEqual({ tokens: 2, text: "wo" });
  expect(behind(["One", " two\n", "So"], "One t", "\nEnd")).toEqual({ tokens: 3, text: "wo\nSo" });
  expect(behind(["One", " two\n", "E"], "One t", "\nEnd")).toBeNull();
  expect(behind(["One ", "\ufffd", "\ufffd!!", " more"], "One é!", "!!!")).toEqual({
    tokens: 4,
    text: "! more",
  });
  expect(behind(["One ", "\ufffd", "\ufffd!!", " more"], "One é!", "End")).toEqual({
    tokens: 3,
    text: "!",
  });
});
