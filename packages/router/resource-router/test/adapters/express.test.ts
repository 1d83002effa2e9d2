import { expressRequest, expressResources } from "@proj/resource-router/express";
import express, { type Request } from "express";
import { expect, test } from "vitest";
import { created, resource } from "../../src/index.ts";
import { ask } from "../ask.ts";
import { serve } from "../serve.ts";

test("under Express 5, resources work beside ordinary handlers", async () => {
  const snips = resource("snips", {
    find: (context) => [context.id, expressRequest<Request & { user: string }>(context).user],
    create: async ({ body }) => created("7", await body.json()),
  });
  const resources = expressResources([snips]);
  const app = express();
  app.use((request, response, next) => {
    Object.assign(request, { user: "ann" });
    response.setHeader("x-before", "kept");
    next();
  });
  app.use("/api", resources);
  app.patch("/api/snips/own", (_request, response) => void response.send("own"));
  app.use("/api", resources.refuse);
  const { port } = await serve(app);

  const found = await ask(port, "/api/snips/a%2Fb");
  expect([found.text, found.headers["x-before"]]).toEqual(['["a/b","ann"]', "kept"]);
  const asked = { method: "POST", headers: { "content-type": "application/json" }, body: "[1]" };
  const made = await ask(port, "/api/snips", asked);
  expect([made.status, made.headers.location, made.text]).toEqual([201, "/api/snips/7", "[1]"]);
  expect((await ask(port, "/api/snips/own", { method: "PATCH" })).text).toBe("own");
  const refused = await ask(port, "/api/snips/7", { method: "PATCH" });
  expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
  expect((await ask(port, "/api/other")).status).toBe(404);
});
