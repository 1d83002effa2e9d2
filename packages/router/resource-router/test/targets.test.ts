import { rawRequest } from "@proj/test-kit";
import express from "express";
import { expect, test } from "vitest";
import { createRouter, group, resource } from "../src/index.ts";
import { ask } from "./ask.ts";
import { serve, serveSnips } from "./serve.ts";

const snips = resource("snips", {
  index: ({ query }) => ({ index: [...query] }),
  find: ({ id, query }) => ({ find: id, query: [...query] }),
});

async function listen(): Promise<readonly number[]> {
  const router = createRouter([snips]);
  const app = express().use(router.middleware).use(router.refuse);
  return [(await serve(router.middleware)).port, (await serve(app)).port];
}

test("a target may be a whole URL", async () => {
  for (const port of await listen()) {
    const find = async (target: string): Promise<unknown> => {
      const { status, text } = await ask(port, target);
      return status === 200 ? JSON.parse(text) : status;
    };
    expect(await find("http://any.example/snips/7?a=1")).toEqual({
      find: "7",
      query: [["a", "1"]],
    });
    expect(await find("HTTPS://any.example:1/snips")).toEqual({ index: [] });
    expect(await find("http://any.example")).toBe(404);
    expect(await find("http://any.example?/snips/7")).toBe(404);
    expect(await find("http://any.example/x/snips/7")).toBe(404);
  }
});

test("the asterisk addresses no resource", async () => {
  for (const port of await listen()) {
    const { status, headers } = await ask(port, "*", { method: "OPTIONS" });
    expect(status).toBe(404);
    expect(headers["content-type"]).toBe("application/problem+json");
  }
});

test("paths are compared as written, segment by segment", async () => {
  for (const port of await listen()) {
    for (const target of [
      "//snips",
      "/./snips",
      "/x/../snips",
      "/snips%2F7",
      "/%73nips",
      "/SNIPS",
      "/snip",
      "/snipss",
      "/",
      "/snips/7/..",
    ])
      expect((await ask(port, target)).status, target).toBe(404);
  }
});

test("a query and a fragment end the path", async () => {
  for (const port of await listen()) {
    const found = async (target: string): Promise<unknown> =>
      JSON.parse((await ask(port, target)).text);
    expect(await found("/snips/7?a=/8&a=%2F")).toEqual({
      find: "7",
      query: [
        ["a", "/8"],
        ["a", "/"],
      ],
    });
    expect(await found("/snips?/7")).toEqual({ index: [["/7", ""]] });
    expect(await found("/snips/7#?a=1")).toEqual({ find: "7", query: [] });
    expect(await found("/snips#/8")).toEqual({ index: [] });
  }
});

test("groups put resources under prefixes, which may share their first segments", async () => {
  const names = (name: string) => resource(name, { find: ({ id }) => `${name} ${id}` });
  const router = createRouter([
    names("snips"),
    group("api", [names("users"), group("v1", [names("snips")])]),
    group("api/v2", [names("orders"), names("snips")]),
  ]);
  const { port } = await serve(router.middleware);
  const text = async (path: string): Promise<string> => (await ask(port, path)).text;
  expect(await text("/snips/1")).toBe('"snips 1"');
  expect(await text("/api/users/1")).toBe('"users 1"');
  expect(await text("/api/v1/snips/1")).toBe('"snips 1"');
  expect(await text("/api/v2/orders/1")).toBe('"orders 1"');
  for (const path of [
    "/api",
    "/api/",
    "/api/v1",
    "/api/snips/1",
    "/users/1",
    "/api//users/1",
    "/api/v2/users/1",
    "/api?users/1",
    "/api#users/1",
  ])
    expect((await ask(port, path)).status, path).toBe(404);
});

test("requests on the same connection do not disturb each other", async () => {
  const { port } = await serveSnips({ find: ({ id }) => id });
  const get = (path: string): string => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`;
  await using connection = await rawRequest(
    port,
    `${get("/snips/1")}${get("/snips/%")}${get("/nothing")}${get("/snips/2")}`,
  );
  const received = await connection.readUntil('"2"');
  expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1])).toEqual([
    "200",
    "400",
    "404",
    "200",
  ]);
});
