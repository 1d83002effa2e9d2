import { fastifyRequest, fastifyResources } from "@proj/resource-router/fastify";
import { type FastifyInstance, type FastifyRequest, fastify } from "fastify";
import { expect, onTestFinished, test } from "vitest";
import { created, eventStream, resource } from "../../src/index.ts";
import { ask } from "../ask.ts";

async function listen(app: FastifyInstance): Promise<number> {
  onTestFinished(() => app.close());
  return Number(new URL(await app.listen({ host: "127.0.0.1", port: 0 })).port);
}

async function* events() {
  yield { data: 1 };
}

test("under Fastify, resources work beside its own routes, and get bodies that it has not read", async () => {
  const errors: unknown[] = [];
  const answered: number[] = [];
  const snips = resource("snips", {
    index: () => eventStream(events()),
    find: (context) => [
      context.id,
      fastifyRequest<FastifyRequest & { user: string }>(context).user,
    ],
    create: async ({ body }) => created("7", await body.json()),
    delete: () => {
      throw new Error("broken");
    },
  });
  const app = fastify();
  app.log.error = (error: unknown) => void errors.push(error);
  app.addHook("onRequest", (request, reply, next) => {
    Object.assign(request, { user: "ann" });
    reply.header("x-before", "kept");
    next();
  });
  app.addHook("onResponse", (_request, reply, next) => {
    answered.push(reply.raw.statusCode);
    next();
  });
  await app.register(fastifyResources([snips]), { prefix: "/api" });
  app.patch("/api/snips/own", () => "own");
  app.post("/own", ({ body }) => body);
  const port = await listen(app);

  const found = await ask(port, "/api/snips/a%2Fb");
  expect([found.text, found.headers["x-before"]]).toEqual(['["a/b","ann"]', "kept"]);
  const asked = { method: "POST", headers: { "content-type": "application/json" }, body: "[1]" };
  const made = await ask(port, "/api/snips", asked);
  expect([made.status, made.headers.location, made.text]).toEqual([201, "/api/snips/7", "[1]"]);
  expect((await ask(port, "/api/snips")).text).toContain("data: 1");
  expect((await ask(port, "/own", asked)).text).toBe("[1]");
  expect((await ask(port, "/api/snips/own", { method: "PATCH" })).text).toBe("own");
  const refused = await ask(port, "/api/snips/7", { method: "PATCH" });
  expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD, DELETE, OPTIONS"]);
  expect(JSON.parse((await ask(port, "/other")).text)).toMatchObject({ statusCode: 404 });
  expect((await ask(port, "/api/snips/7", { method: "DELETE" })).status).toBe(500);
  expect(errors).toMatchObject([{ message: "broken" }]);
  expect(answered).toEqual([200, 201, 200, 200, 200, 405, 404, 500]);
});

test("under Fastify, requests may be injected without a socket", async () => {
  const app = fastify();
  onTestFinished(() => app.close());
  await app.register(fastifyResources([resource("snips", { find: ({ id }) => id })]));
  expect((await app.inject("/snips/7")).json()).toBe("7");
});
