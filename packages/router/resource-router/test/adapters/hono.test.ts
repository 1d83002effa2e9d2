import { honoContext, honoResources } from "@proj/resource-router/hono";
import { type Context, Hono } from "hono";
import { expect, test } from "vitest";
import { created, group, resource } from "../../src/fetch.ts";

type Env = { Variables: { user: string }; Bindings: { secret: string } };

test("under Hono, resources work beside its own routes", async () => {
  const snips = resource("snips", {
    find: (context) => {
      const own = honoContext<Context<Env>>(context);
      return [context.id, own.get("user"), own.env.secret];
    },
    create: async ({ body }) => created("7", await body.json()),
  });
  const resources = honoResources([group("api", [snips])]);
  const app = new Hono<Env>();
  app.use(async (context, next) => {
    context.set("user", "ann");
    context.header("x-before", "kept");
    await next();
  });
  app.use(resources);
  app.patch("/api/snips/own", (context) => context.text("own"));
  app.notFound(resources.refuse);
  const ask = (path: string, init?: RequestInit) => app.request(path, init, { secret: "s" });

  const found = await ask("/api/snips/a%2Fb");
  expect([await found.json(), found.headers.get("x-before")]).toEqual([
    ["a/b", "ann", "s"],
    "kept",
  ]);
  const headers = { "content-type": "application/json" };
  const made = await ask("/api/snips", { method: "POST", headers, body: "[1]" });
  expect([made.status, made.headers.get("location")]).toEqual([201, "/api/snips/7"]);
  expect(await made.text()).toBe("[1]");
  expect(await (await ask("/api/snips/own", { method: "PATCH" })).text()).toBe("own");
  const refused = await ask("/api/snips/7", { method: "PATCH" });
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect((await ask("/other")).status).toBe(404);
});
