import { expect, test } from "vitest";
import { createResourceClient } from "../src/client.ts";
import { createRouter, resource } from "../src/index.ts";
import { serveSnips } from "./serve.ts";
import { startThree } from "./three-servers.ts";

test("the client sends merge patches", async () => {
  const { url } = await serveSnips({
    patch: async ({ body, headers }) => [headers["content-type"], await body.json()],
  });
  const client = createResourceClient(`${url}/snips`);
  expect(await client.patch("7", { a: null })).toEqual([
    "application/merge-patch+json",
    { a: null },
  ]);
});

test("PATCH runs the operation if there is one, and is left to the ordinary handlers if not", async () => {
  const router = createRouter([
    resource("snips", { patch: async ({ id, body }) => [id, await body.json()] }),
    resource("fixed", { find: ({ id }) => id }),
  ]);
  const headers = { "content-type": "application/merge-patch+json" };
  for (const place of await startThree(router)) {
    await using open = place;
    const patched = await open.ask("/snips/7", { method: "PATCH", headers, body: '{"a":null}' });
    expect(patched).toMatchObject({ status: 200, text: '["7",{"a":null}]' });
    expect((await open.ask("/snips/7")).headers.allow).toBe("PATCH, OPTIONS");
    const refused = await open.ask("/fixed/7", { method: "PATCH" });
    expect([refused.status, refused.headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect((await open.ask("/fixed/7?ordinary", { method: "PATCH" })).text).toBe("ordinary");
  }
});
