import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { created, createRouter, noContent, notFound, resource } from "@proj/resource-router";
import { createResourceClient } from "@proj/resource-router/client";

const snips = new Map([["first", "hello"]]);
const authors = new Map([["ann", { name: "Ann" }]]);

const router = createRouter([
  resource("snips", {
    index: () => [...snips.keys()],
    find: ({ id }) => snips.get(id) ?? notFound(`There is no snip '${id}'.`),
    create: async ({ body }) => {
      const id = `snip ${snips.size + 1}`;
      snips.set(id, await body.json(readText));
      return created(id);
    },
    update: async ({ id, body }) => {
      snips.set(id, await body.json(readText));
      return noContent();
    },
    delete: ({ id }) => (snips.delete(id) ? noContent() : notFound()),
  }),
  resource("authors", { find: ({ id }) => authors.get(id) }),
]);

function readText(value: unknown): string {
  if (typeof value === "string") return value;
  throw new Error("A snip is a string.");
}

const server = createServer((request, response) => {
  if (router.handle(request, response)) return;
  if (request.url === "/health") response.end("ok");
  else router.refuse(request, response);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const { port } = server.address() as AddressInfo;

const client = createResourceClient<string, string[]>(`http://127.0.0.1:${port}/snips`);
const { id } = await client.create("goodbye");
assert.equal(id, "snip 2");
assert.equal(await client.find(id), "goodbye");
await client.update(id, "goodbye!");
assert.deepEqual(await client.index(), ["first", "snip 2"]);
await client.delete(id);
await assert.rejects(client.find(id), { status: 404 });
server.close();
