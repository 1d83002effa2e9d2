import { Readable } from "node:stream";
import express, { type RequestHandler } from "express";
import { expect, test } from "vitest";
import { created, createRouter, reply, resource } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serve } from "./serve.ts";

type Factory = (options?: object) => RequestHandler;

/** Loads a middleware whose module exports its factory. */
async function load(name: string): Promise<Factory> {
  const { default: factory }: { readonly default: Factory } = await import(name);
  return factory;
}

/** Each with the header that shows that it ran. */
const middleware: readonly (readonly [name: string, options: object, header: string])[] = [
  ["compression-1.7.4", { threshold: 0 }, "vary"],
  ["compression", { threshold: 0 }, "vary"],
  ["express-session-1.18.1", { secret: "s", resave: false, saveUninitialized: true }, "set-cookie"],
  ["express-session", { secret: "s", resave: false, saveUninitialized: true }, "set-cookie"],
  ["cookie-session-2.1.0", { keys: ["s"] }, "set-cookie"],
  ["cookie-session", { keys: ["s"] }, "set-cookie"],
  ["response-time-2.3.3", {}, "x-response-time"],
  ["response-time", {}, "x-response-time"],
  ["cors", { origin: "https://a.example" }, "vary"],
];

const router = createRouter([
  resource("snips", {
    index: () => ({ a: 1 }),
    find: ({ id }) => reply(200, Readable.from(["a", id]), { "content-type": "text/plain" }),
    create: () => created("7", { a: 1 }),
  }),
]);

test.each(middleware)("every header arrives behind %s, and its own", async (name, options, own) => {
  const factory = await load(name);
  const touchSession: RequestHandler = (request, _response, next) => {
    if ("session" in request && typeof request.session === "object")
      Object.assign(request.session ?? {}, { seen: true });
    next();
  };
  const app = express().disable("x-powered-by");
  app.use(factory(options), touchSession, router.middleware, router.refuse);
  const { port } = await serve(app);
  const json = "application/json";

  const whole = await ask(port, "/snips");
  expect(whole).toMatchObject({ status: 200, text: '{"a":1}' });
  expect(whole.headers).toMatchObject({ "content-type": json, "content-length": "7" });
  expect(whole.headers[own]).toBeDefined();
  const stream = await ask(port, "/snips/x");
  expect(stream).toMatchObject({ status: 200, text: "ax" });
  expect(stream.headers["content-type"]).toBe("text/plain");
  const made = await ask(port, "/snips", { method: "POST" });
  expect(made).toMatchObject({ status: 201, headers: { location: "/snips/7" } });
  const refused = await ask(port, "/snips/x", { method: "DELETE" });
  expect(refused).toMatchObject({ status: 405, headers: { allow: "GET, HEAD, OPTIONS" } });
  const nothing = await ask(port, "/nothing");
  expect(nothing.headers["content-type"]).toBe("application/problem+json");
});

test.each(["compression-1.7.4", "compression"])(
  "%s compresses the router's answers",
  async (name) => {
    const factory = await load(name);
    const { port } = await serve(express().use(factory({ threshold: 0 }), router.middleware));
    const { headers } = await ask(port, "/snips", { headers: { "accept-encoding": "gzip" } });
    expect(headers).toMatchObject({
      "content-encoding": "gzip",
      "content-type": "application/json",
    });
  },
);

test("an answer adds to Vary and to cookies that were set before", async () => {
  const cors = await load("cors");
  const headers = { vary: "Accept, origin", "set-cookie": ["b=2", "c=3"], "x-a": "answer" };
  const routes = createRouter([
    resource("snips", {
      index: () => reply(200, "x", headers),
      find: () => new Response("x", { headers: { vary: "*" } }),
    }),
  ]);
  const before: RequestHandler = (_request, response, next) => {
    response.cookie("a", "1").setHeader("x-a", "before");
    next();
  };
  const app = express().use(cors({ origin: "https://a.example" }), before, routes.middleware);
  const { port } = await serve(app);
  const answered = await ask(port, "/snips");
  expect(answered.headers).toMatchObject({
    vary: "Origin, Accept",
    "set-cookie": ["a=1; Path=/", "b=2", "c=3"],
    "x-a": "answer",
  });
  expect((await ask(port, "/snips/1")).headers.vary).toBe("*");
});

test("an answer that cannot be sent leaves none of its headers on the 500", async () => {
  const routes = createRouter(
    [
      resource("snips", {
        find: () => reply(200, "x", { "x-b": "answer", "x-c": "a\nb" }),
        index: () => reply(99, "x", { "x-a": "answer", location: "/elsewhere" }),
      }),
    ],
    { onError: () => {} },
  );
  const before: RequestHandler = (_request, response, next) => {
    response.setHeader("x-a", "before");
    next();
  };
  const { port } = await serve(express().use(before, routes.middleware));
  for (const path of ["/snips", "/snips/1"]) {
    const { status, headers } = await ask(port, path);
    expect([status, headers["x-a"]]).toEqual([500, "before"]);
    expect([headers["x-b"], headers.location]).toEqual([undefined, undefined]);
  }
});
