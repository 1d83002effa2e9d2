import { rawRequest } from "@proj/test-kit";
import { expect, test } from "vitest";
import {
  created,
  createRouter,
  group,
  noContent,
  notFound,
  Problem,
  resource,
  updated,
} from "../src/index.ts";
import { ask } from "./ask.ts";
import { answerTo, serveSnips } from "./serve.ts";
import { startThree } from "./three-servers.ts";

const json = "application/json";

test("the helpers answer with their statuses", async () => {
  expect(await answerTo(updated({ a: 1 }))).toEqual([200, json, '{"a":1}']);
  expect(await answerTo(updated())).toEqual([204, undefined, ""]);
  expect(await answerTo(noContent())).toEqual([204, undefined, ""]);
  const [status, type, text] = await answerTo(notFound("No snip 1."));
  expect([status, type, JSON.parse(String(text))]).toEqual([
    404,
    "application/problem+json",
    { title: "Not Found", status: 404, detail: "No snip 1." },
  ]);
});

test("a problem may have its own members and headers", async () => {
  const members = { type: "https://example.com/full", title: "Full", balance: 3 };
  const problem = new Problem(429, "Too many.", { members, headers: { "Retry-After": "7" } });
  const { port } = await serveSnips({
    index: () => problem,
    find: async () => {
      throw problem;
    },
  });
  for (const path of ["/snips", "/snips/1"]) {
    const { status, headers, text } = await ask(port, path);
    expect([status, headers["retry-after"]]).toEqual([429, "7"]);
    expect(JSON.parse(text)).toEqual({ ...members, status: 429, detail: "Too many." });
  }
});

test("a problem may have its own type, and then no other", async () => {
  const type = "application/vnd.error+json";
  const { port } = await serveSnips({
    index: () => new Problem(400, "No.", { headers: { "Content-Type": type } }),
  });
  await using connection = await rawRequest(port, "GET /snips HTTP/1.1\r\nhost: x\r\n\r\n");
  const head = await connection.readUntil("No.");
  expect(head.match(/content-type: .*/gi)).toEqual([`content-type: ${type}`]);
});

test("created names the item's path for any id, wherever the router is mounted", async () => {
  const ids = ["7", "a b", "a/b", "?#%", "é"];
  const create = { create: () => created(ids[next++ % ids.length] ?? "", { ok: true }) };
  let next = 0;
  const router = createRouter([
    resource("snips", create),
    group("api", [resource("snips", create)]),
  ]);
  for (const place of await startThree(router)) {
    await using open = place;
    for (const path of ["/snips", "/snips/", "/snips?a=/b/", "/api/snips", "/api/snips/"]) {
      const collection = place.prefix + path.replace(/\/?(\?.*)?$/, "");
      const id = ids[next % ids.length] ?? "";
      const { status, headers, text } = await open.ask(path, { method: "POST" });
      expect([status, text]).toEqual([201, '{"ok":true}']);
      expect(headers.location, place.name).toBe(`${collection}/${encodeURIComponent(id)}`);
    }
  }
});

test("created from an update names the item's path too, and for a whole URL as target only the path", async () => {
  const { port } = await serveSnips({
    update: ({ id }) => created(id),
    create: () => created("8"),
  });
  expect((await ask(port, "/snips/7", { method: "PUT" })).headers.location).toBe("/snips/7");
  const { headers } = await ask(port, "http://any.example/snips", { method: "POST" });
  expect(headers.location).toBe("/snips/8");
});
