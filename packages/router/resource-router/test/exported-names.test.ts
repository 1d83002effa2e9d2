import * as resourceRouter from "@proj/resource-router";
import * as client from "@proj/resource-router/client";
import * as express from "@proj/resource-router/express";
import * as fastify from "@proj/resource-router/fastify";
import * as fetchRouter from "@proj/resource-router/fetch";
import * as hono from "@proj/resource-router/hono";
import * as openapi from "@proj/resource-router/openapi";
import { expect, test } from "vitest";

test("the public names change only on purpose", () => {
  expect(Object.keys(resourceRouter).sort()).toEqual([
    "ContextValue",
    "Problem",
    "answerMethodNotAllowed",
    "answerNotImplemented",
    "badRequest",
    "createRouter",
    "created",
    "entityTag",
    "eventStream",
    "group",
    "noContent",
    "nodeExchange",
    "notFound",
    "operation",
    "reply",
    "requireVersion",
    "resource",
    "updated",
  ]);
  const node = ["createRouter", "nodeExchange"];
  const onNode = Object.keys(resourceRouter).filter((name) => !node.includes(name));
  expect(Object.keys(fetchRouter).sort()).toEqual(
    [...onNode, "createFetchRouter", "webRequest"].sort(),
  );
  expect(Object.keys(express).sort()).toEqual(["expressRequest", "expressResources"]);
  expect(Object.keys(fastify).sort()).toEqual(["fastifyRequest", "fastifyResources"]);
  expect(Object.keys(hono).sort()).toEqual(["honoContext", "honoResources"]);
  expect(Object.keys(openapi)).toEqual(["openApiDocument"]);
  expect(Object.keys(client).sort()).toEqual(["RequestFailedError", "createResourceClient"]);
});
