import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { JsonScanner } from "../../src/json/json-scanner.ts";
import { JsonSyntaxError } from "../../src/json/json-syntax-error.ts";
import { writtenJson } from "./arbitrary-json.ts";

function skip(text: string): JsonScanner {
  const scanner = new JsonScanner(Buffer.from(text, "latin1"));
  scanner.skipValue();
  scanner.finish();
  return scanner;
}

function offsetOfError(text: string): number | null {
  try {
    skip(text);
    return null;
  } catch (error) {
    if (error instanceof JsonSyntaxError) return error.offset;
    throw error;
  }
}

/** Builds the value by the scanner's structure; only leaves are parsed. */
function build(scanner: JsonScanner): unknown {
  const { bytes, kind } = scanner;
  if (kind === "object") {
    const members: [string, unknown][] = [];
    for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
      const key = bytes.toString("utf8", scanner.keyStart - 1, scanner.keyEnd + 1);
      members.push([JSON.parse(key), build(scanner)]);
    }
    return Object.fromEntries(members);
  }
  if (kind === "array") {
    const elements: unknown[] = [];
    for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
      elements.push(build(scanner));
    }
    return elements;
  }
  const start = scanner.at;
  scanner.skipValue();
  return JSON.parse(bytes.toString("utf8", start, scanner.at));
}

/** JSON.parse's verdict on the structure alone: every string is empty, every other leaf 0. */
function hasStructure(text: string): boolean {
  const tokens = /"(?:[^"\\]|\\[\s\S])*"|[A-Za-z0-9+.-]+/g;
  try {
    JSON.parse(text.replace(tokens, (token) => (token.startsWith('"') ? '""' : "0")));
    return true;
  } catch {
    return false;
  }
}

describe("any JSON text", () => {
  test("entering every value finds what JSON.parse finds", () => {
    fc.assert(
      fc.property(writtenJson, ({ text }) => {
        const scanner = new JsonScanner(Buffer.from(text));
        const built = build(scanner);
        scanner.finish();
        expect(JSON.stringify(built)).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { seed: 1, numRuns: 500 },
    );
  });

  test("skipping ends at the value's last byte", () => {
    fc.assert(
      fc.property(writtenJson, ({ text }) => {
        const scanner = new JsonScanner(Buffer.from(text));
        scanner.skipValue();
        expect(scanner.at).toBe(Buffer.byteLength(text.trimEnd()));
        scanner.finish();
      }),
      { seed: 1, numRuns: 500 },
    );
  });
});

test("after any mutation it accepts exactly the texts with a sound structure", () => {
  const pieces = [
    '"',
    "\\",
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    " ",
    "\n",
    "1",
    "true",
    "/",
    "\0",
    "\xff",
    "",
  ];
  const mutation = fc.tuple(fc.nat(), fc.nat({ max: 3 }), fc.constantFrom(...pieces));
  let accepted = 0;
  let refused = 0;
  fc.assert(
    fc.property(writtenJson, fc.array(mutation, { maxLength: 4 }), ({ text }, mutations) => {
      let mutated = Buffer.from(text).toString("latin1");
      for (const [place, removed, inserted] of mutations) {
        const at = place % (mutated.length + 1);
        mutated = mutated.slice(0, at) + inserted + mutated.slice(at + removed);
      }
      const structured = hasStructure(mutated);
      if (structured) accepted++;
      else refused++;
      expect(offsetOfError(mutated) === null).toBe(structured);
    }),
    { seed: 1, numRuns: 3000 },
  );
  expect(accepted).toBeGreaterThan(200);
  expect(refused).toBeGreaterThan(200);
});

test.each([
  ["", 0],
  ["  ", 2],
  ['"abc', 0],
  ['["abc\\"]', 1],
  ['{"a', 1],
  ['{"a" 1}', 5],
  ['{"a":}', 5],
  ['{"a":1 "b":2}', 7],
  ['{"a":1,}', 7],
  ["{,}", 1],
  ["{1:2}", 1],
  ["[1 2]", 3],
  ["[1,]", 3],
  ["[,1]", 1],
  ["[1}", 2],
  ['{"a":1]', 6],
  ["[[1]", 4],
  ["[1]]", 3],
  ["1 2", 2],
  ["[1,@]", 3],
  ["[1/2]", 2],
  ["\ufeff1".replace("\ufeff", "\xef\xbb\xbf"), 0],
])("%j breaks off at byte %i", (text, offset) => {
  expect(offsetOfError(text)).toBe(offset);
});

test("strings of every length are followed", () => {
  for (let length = 0; length < 150; length++) {
    const content = "x".repeat(length);
    const strings = [content, `${content}\\"`, `\\"${content}\\\\`, `${content}\\\\\\"${content}`];
    for (const string of strings) {
      expect(offsetOfError(`["${string}","${string}",{"${string}":"${string}"}]`)).toBeNull();
      expect(offsetOfError(`["","${string}`)).toBe(4);
    }
  }
});

test("whitespace of every length and mixture is skipped", () => {
  const text = [" ", "\n", "\t", "\r", " \n", "\r\n  "];
  for (const blank of text) {
    for (let times = 0; times < 80; times++) {
      const gap = blank.repeat(times);
      expect(
        skip(`${gap}[${gap}1${gap},${gap}{${gap}"a"${gap}:${gap}[]${gap}}${gap}]${gap}`).at,
      ).toBe(12 + gap.length * 9);
      expect(offsetOfError(`[1,${gap}\v]`)).toBe(3 + gap.length);
    }
  }
});

describe("depth", () => {
  const depth = 100_000;
  const mixed = Array.from({ length: depth }, (_, index) => index % 3 === 0);
  const opened = mixed.map((isObject) => (isObject ? '{"a":' : "[")).join("");
  const closed = mixed
    .map((isObject) => (isObject ? "}" : "]"))
    .reverse()
    .join("");

  test("100,000 brackets of both kinds are followed", () => {
    expect(offsetOfError(`${opened}0${closed}`)).toBeNull();
  });

  test("each closing bracket must match its opening one", () => {
    for (const place of [0, 1, 31, 32, 33, 63, 64, 65, 99_998, 99_999]) {
      const wrong = closed[place] === "}" ? "]" : "}";
      const text = `${opened}0${closed.slice(0, place)}${wrong}${closed.slice(place + 1)}`;
      expect(offsetOfError(text)).toBe(opened.length + 1 + place);
    }
  });

  test("unclosed brackets are found at the end", () => {
    expect(offsetOfError(opened)).toBe(opened.length);
  });
});

test("the kind of a value follows from its first byte", () => {
  const kinds = ["{}", "[]", '""', "1", "-1", "true", "NaN", "<", ""].map(
    (text) => new JsonScanner(Buffer.from(` ${text}`)).kind,
  );
  expect(kinds).toEqual([
    "object",
    "array",
    "string",
    "number",
    "number",
    "literal",
    "literal",
    "none",
    "none",
  ]);
});
