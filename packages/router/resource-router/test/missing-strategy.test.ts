import { expect, test } from "vitest";
import { answerNotImplemented, createRouter, noContent, resource } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serveSnips } from "./serve.ts";
import { startThree } from "./three-servers.ts";

test("the older behaviour answers everything missing with 501 in plain text", async () => {
  const snips = resource("snips", { index: () => [], update: noContent });
  for (const place of await startThree(createRouter([snips], { missing: answerNotImplemented }))) {
    await using open = place;
    const missing = [
      "POST /snips",
      "OPTIONS /snips",
      "PATCH /snips",
      "GET /snips/1",
      "DELETE /snips/1",
      "OPTIONS /snips/1",
      "PROPFIND /snips/1",
    ];
    for (const line of missing) {
      const [method = "", path = ""] = line.split(" ");
      const { status, headers, text } = await open.ask(path, { method });
      expect([status, text], line).toEqual([501, "501 Not Implemented\n"]);
      expect(headers["content-type"]).toBe("text/plain; charset=utf-8");
    }
    expect((await open.ask("/snips")).text).toBe("[]");
    expect((await open.ask("/snips/1", { method: "PUT" })).status).toBe(204);
    expect((await open.ask("/other?ordinary")).text).toBe("ordinary");
  }
});

test("a custom strategy learns what is missing, and may leave it to the ordinary handlers", async () => {
  const asked: unknown[] = [];
  const router = createRouter([resource("snips", { find: ({ id }) => id })], {
    missing: (missing) => {
      asked.push(missing);
      return null;
    },
  });
  for (const place of await startThree(router)) {
    await using open = place;
    expect((await open.ask("/snips/a%20b?ordinary", { method: "PUT" })).text).toBe("ordinary");
    expect((await open.ask("/snips/a%20b", { method: "PUT" })).status).toBe(405);
  }
  const missing = { method: "PUT", resource: "snips", id: "a b", allow: "GET, HEAD, OPTIONS" };
  expect(asked).toEqual(Array.from({ length: 6 }, () => missing));
});

test("a strategy that throws is answered 500, and onError gets the error", async () => {
  const errors: unknown[] = [];
  const broken = new Error("broken");
  const missing = (): never => {
    throw broken;
  };
  const { port } = await serveSnips({}, { missing, onError: (error) => errors.push(error) });
  expect((await ask(port, "/snips")).status).toBe(500);
  expect(errors).toEqual([broken]);
});
