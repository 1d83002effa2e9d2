/**
 * A child process of the bench: answers every GET of an item or a collection with the same JSON, with
 * a bare handler, the router, or Express's own routes.
 */
import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { createRouter, resource } from "@proj/resource-router";
import express, { type Express, type RequestHandler } from "express";
import { listenForBench } from "../machine/listen.ts";
import { ANSWER, RESOURCES } from "./routes.ts";

const answer = (): object => ANSWER;

const listeners: Readonly<Record<string, () => RequestListener>> = {
  bare: () => bareListener,
  // The difference between two identical servers is the uncertainty of the figures.
  "bare-again": () => bareListener,
  router: () => {
    const operations = {
      index: answer,
      find: answer,
      create: answer,
      update: answer,
      delete: answer,
      options: answer,
    };
    return createRouter(RESOURCES.map((name) => resource(name, operations))).middleware;
  },
  express: () => expressRoutes(express()),
  // Things that Express does by default beside routing.
  "express-lean": () => expressRoutes(express().disable("x-powered-by").disable("etag")),
};

function bareListener(_request: IncomingMessage, response: ServerResponse): void {
  const text = JSON.stringify(answer());
  response.writeHead(200, [
    "content-type",
    "application/json",
    "content-length",
    String(Buffer.byteLength(text)),
  ]);
  response.end(text);
}

function expressRoutes(app: Express): Express {
  const respond: RequestHandler = (_request, response) => void response.json(answer());
  for (const name of RESOURCES) {
    app.get(`/${name}`, respond);
    app.post(`/${name}`, respond);
    app.options(`/${name}`, respond);
    app.get(`/${name}/:id`, respond);
    app.put(`/${name}/:id`, respond);
    app.delete(`/${name}/:id`, respond);
    app.options(`/${name}/:id`, respond);
  }
  return app;
}

const listener = listeners[process.argv[2] ?? ""];
if (listener === undefined) throw new Error(`no such server: ${process.argv[2]}`);
const server = createServer(listener());
listenForBench(server);
