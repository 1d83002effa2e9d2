import { expect, test } from "vitest";
import { type Hook, Problem, reply } from "../src/index.ts";
import { askBoth } from "./both.ts";

test.each([0, 99, 101, 103, 199, 600, 999, 200.5, Number.NaN])(
  "the status %d is refused on both platforms, and the operation's author learns why",
  async (status) => {
    for (const result of [reply(status), reply(status, "x"), new Problem(status)])
      for (const answered of await askBoth({ find: () => result }, {}, "/snips/7")) {
        expect(answered.status).toBe(500);
        expect(answered.errors).toMatchObject([{ message: expect.stringContaining(`${status}`) }]);
      }
  },
);

test.each([204, 205, 304])(
  "a body with the status %d is refused on both platforms",
  async (status) => {
    for (const answered of await askBoth({ find: () => reply(status, "x") }, {}, "/snips/7")) {
      expect(answered.status).toBe(500);
      expect(answered.errors).toMatchObject([{ message: expect.stringContaining("body") }]);
    }
    for (const none of [reply(status), reply(status, null)])
      for (const answered of await askBoth({ find: () => none }, {}, "/snips/7"))
        expect([answered.status, answered.text]).toEqual([status, ""]);
  },
);

class Secretive {
  readonly #secret = 1;
  get secret(): number {
    return this.#secret;
  }
}

test.each<readonly [string, unknown]>([
  ["RegExp", /x/],
  ["Secretive", new Secretive()],
  ["Map", new Map()],
  ["Error", { why: new Error("kept from JSON") }],
  ["RegExp", [{ pattern: /x/ }]],
  ["Promise", { later: Promise.resolve(1) }],
])("a %s is not sent as an empty object", async (kind, value) => {
  for (const answered of await askBoth({ find: () => value }, {}, "/snips/7")) {
    expect(answered.status).toBe(500);
    expect(answered.errors).toMatchObject([{ message: expect.stringContaining(kind) }]);
  }
});

test("objects that are empty, or say themselves how they are written, are sent", async () => {
  const value = {
    empty: {},
    none: Object.create(null),
    unset: new (class Point {
      x = undefined;
    })(),
    own: new (class Money {
      toJSON() {
        return {};
      }
    })(),
    text: "{}",
    date: new Date(0),
  };
  for (const { text } of await askBoth({ find: () => value }, {}, "/snips/7"))
    expect(text).toBe(JSON.stringify(value));
});

test.each<readonly [string, Hook]>([
  ["awaits both", async (_context, next) => [await next(), await next()]],
  [
    "returns the second",
    (_context, next) => {
      void next();
      return next();
    },
  ],
  [
    "ignores the second",
    async (_context, next) => {
      const result = await next();
      void next();
      return result;
    },
  ],
  [
    "catches it",
    async (_context, next) => {
      await next();
      return next().catch(() => "caught");
    },
  ],
])(
  "a hook that calls next twice and %s is an error; the operation runs once",
  async (_how, hook) => {
    let runs = 0;
    const index = () => {
      runs += 1;
      return runs;
    };
    for (const answered of await askBoth({ index }, { hooks: [hook] }, "/snips")) {
      expect(answered.status).toBe(500);
      expect(answered.errors).toMatchObject([
        { message: expect.stringContaining("more than once") },
      ]);
    }
    expect(runs).toBe(2);
  },
);

test("a body may be exactly as large as the limit, with and without a declared length", async () => {
  const create = ({ body }: { body: { text(): Promise<string> } }) => body.text();
  for (const [text, expected] of [
    ["12345678", 200],
    ["123456789", 413],
  ] as const) {
    for (const headers of [{}, { "content-length": `${text.length}` }]) {
      const asked = { method: "POST", body: text, headers };
      for (const { status } of await askBoth({ create }, { maxBodyBytes: 8 }, "/snips", asked))
        expect(status).toBe(expected);
    }
  }
});

test("a Response whose body was read is an error", async () => {
  const find = async () => {
    const used = new Response("x");
    await used.text();
    return used;
  };
  for (const answered of await askBoth({ find }, {}, "/snips/7")) {
    expect(answered.status).toBe(500);
    expect(answered.errors).toMatchObject([
      { message: expect.stringContaining("body of the Response") },
    ]);
  }
});
