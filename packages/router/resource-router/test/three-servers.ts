import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type ServerResponse,
} from "node:http";
import { type Listening, listen } from "@proj/test-kit";
import express from "express";
import type { Router } from "../src/index.ts";
import { type Answered, type Asked, ask } from "./ask.ts";

/** A server with the router, and how to request its paths there. */
export interface Place extends AsyncDisposable {
  readonly name: string;
  readonly prefix: string;
  readonly port: number;
  ask(path: string, asked?: Asked): Promise<Answered>;
}

/**
 * One router on Node's own server, under Express, and under Express at a mount path. In each there is also an ordinary
 * handler that takes requests with `ordinary` in the query.
 */
export async function startThree(router: Router): Promise<readonly Place[]> {
  const plain: RequestListener = (request, response) => {
    if (!router.handle(request, response) && !takesOrdinary(request, response))
      router.refuse(request, response);
  };
  return Promise.all([
    start("node:http", "", plain),
    start("Express", "", underExpress(router, "/")),
    start("Express, mounted", "/some/mount", underExpress(router, "/some/mount")),
  ]);
}

function underExpress(router: Router, mountPath: string): RequestListener {
  const app = express().disable("x-powered-by");
  app.use(mountPath, router.middleware);
  app.use((request, response, next) => {
    if (!takesOrdinary(request, response)) next();
  });
  app.use(mountPath, router.refuse);
  return app;
}

function takesOrdinary(request: IncomingMessage, response: ServerResponse): boolean {
  if (!request.url?.includes("ordinary")) return false;
  response.end("ordinary");
  return true;
}

async function start(name: string, prefix: string, listener: RequestListener): Promise<Place> {
  const server: Listening = await listen(createServer(listener));
  const { port, close } = server;
  return {
    name,
    prefix,
    port,
    ask: (path, asked) => ask(port, prefix + path, asked),
    [Symbol.asyncDispose]: close,
  };
}
