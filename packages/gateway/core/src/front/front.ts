import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { fixedPaths, type GatewayConfig, parseSessionId } from "@proj/gateway-protocol";
import { createTimeOrderedId } from "@proj/session-store";
import { GatewayError } from "../errors/gateway-error.ts";
import { websocketNotSupported } from "../errors/websocket-not-supported.ts";
import { CallerConnections } from "../http/caller-connections.ts";
import { replyError } from "../http/error-reply.ts";
import { callerTimes, createHttpServer } from "../http/http-server.ts";
import { readinessBody } from "../http/readiness-body.ts";
import { takeTarget } from "../http/request-listener.ts";
import { createSessionPathSplitter, pathnameOf } from "../http/session-path.ts";
import { openMetricsType } from "../metrics/open-metrics-text.ts";
import { prometheusType, scrapeFormat } from "../metrics/scrape-format.ts";
import { addressOf, type GatewayAddress } from "../running-gateway.ts";
import { askWorkers, mergeSessionPages, sendAnswer, type WorkerAnswer } from "./ask-workers.ts";
import { MetricsMerger } from "./merge-metrics.ts";
import { relayRequest, workerGone } from "./relay-request.ts";
import { type FrontWorker, WorkerPools } from "./worker-pools.ts";

/** One address for several gateways on one machine. */
export interface Front {
  /** Begins to serve. @throws Error if it cannot listen, with the system's `code` */
  listen(): Promise<GatewayAddress>;
  /** A worker is ready to serve. @param number its place, from 1 on */
  admit(number: number, socketPath: string): void;
  /** A worker has ended: its sessions belong to the others until a worker with its number is admitted. */
  dismiss(number: number): void;
  close(): Promise<void>;
}

export interface FrontOptions {
  /**
   * Longest time for a worker to answer a request that goes to all of them, in milliseconds.
   * @default 15 s
   */
  readonly answerMs?: number;
}

interface Merge {
  /** The format that workers are asked for; null: their default. */
  readonly accept: string | null;
  readonly answer: (answers: readonly WorkerAnswer[], asked: Asked) => Omit<WorkerAnswer, "worker">;
  /** The error if some workers gave no answer; null: the others' answer will do. @default null */
  readonly incomplete?: (silent: readonly FrontWorker[], asked: Asked) => GatewayError | null;
}

/**
 * Sends each request to the worker that its session belongs to, and answers itself where a single worker
 * knows only its part: `/metrics`, `/readyz`, the sessions in memory, and reloading the routes.
 */
export function createFront(
  config: GatewayConfig,
  { answerMs = 15_000 }: FrontOptions = {},
): Front {
  const pools = new WorkerPools();
  const split = createSessionPathSplitter(config.base_session_path);
  const connections = new CallerConnections(config.max_connections);
  const metrics = new MetricsMerger();
  const merges = new Map<string, Merge>([
    [
      `GET ${fixedPaths.metrics}`,
      {
        // It has everything that Prometheus's own text has, and exemplars.
        accept: openMetricsType,
        answer: (answers, { req }) => mergeMetrics(metrics, pools, connections, answers, req),
      },
    ],
    [`GET ${fixedPaths.readyz}`, { accept: null, answer: anyAnswer }],
    [
      `POST ${fixedPaths.reload}`,
      { accept: null, answer: anyAnswer, incomplete: reloadIncomplete },
    ],
    [
      `GET ${config.base_session_path}`,
      { accept: null, answer: mergeSessions, incomplete: listIncomplete },
    ],
  ]);
  const serve = (req: IncomingMessage, res: ServerResponse): void => {
    const url = takeTarget(req);
    const pathname = pathnameOf(url);
    const merge = merges.get(`${req.method === "HEAD" ? "GET" : req.method} ${pathname}`);
    if (merge !== undefined) {
      void answerForAll(pools, config, merge, { req, res, url, answerMs });
      return;
    }
    if (req.headers.upgrade !== undefined) {
      refuse(res, websocketNotSupported());
      return;
    }
    const segment = split(pathname)?.segment ?? null;
    const worker = pools.choose(segment === null ? null : (parseSessionId(segment) ?? segment));
    if (worker === null) refuse(res, workerGone());
    else relayRequest(worker, req, res, url);
  };
  const server = createHttpServer(serve, { connections, ...callerTimes(config.timeouts) });
  return {
    listen: async () => {
      server.listen(config.listen_port, config.listen_host);
      await once(server, "listening");
      return addressOf(server);
    },
    admit: (number, socketPath) => pools.admit(number, socketPath),
    dismiss: (number) => {
      pools.dismiss(number);
      metrics.died(number);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await pools.close();
    },
  };
}

interface Asked {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly url: string;
  readonly answerMs: number;
}

async function answerForAll(
  pools: WorkerPools,
  config: GatewayConfig,
  { accept, answer, incomplete }: Merge,
  asked: Asked,
): Promise<void> {
  const { req, res, url, answerMs } = asked;
  const question = { req, path: url, accept, answerMs };
  const { answers, silent } = await askWorkers(pools.all, question);
  const refused = answers.find(({ status }) => status >= 400);
  // A worker that has died does not count: its successor reads the configuration when it starts.
  const alive = silent.filter((worker) => pools.has(worker));
  const error = alive.length === 0 ? null : (incomplete?.(alive, asked) ?? null);
  if (refused !== undefined) sendAnswer(res, refused);
  else if (error !== null) refuse(res, error);
  else if (answers.length > 0) sendAnswer(res, answer(answers, asked));
  else if (pathnameOf(url) === fixedPaths.readyz) sendAnswer(res, starting(config));
  else refuse(res, workerGone());
}

/** Any answer will do: they are all alike, because a refusal was passed on before. */
function anyAnswer(answers: readonly WorkerAnswer[]): Omit<WorkerAnswer, "worker"> {
  const [first] = answers;
  if (first === undefined) throw new Error("No worker has answered.");
  return first;
}

function reloadIncomplete(silent: readonly FrontWorker[]): GatewayError {
  return new GatewayError(
    "reload_incomplete",
    `${didNotAnswer(silent)} They may still serve the old routes. Reload again.`,
    { retryAfterMs: 1_000 },
  );
}

function listIncomplete(silent: readonly FrontWorker[], asked: Asked): GatewayError | null {
  if (asksForStored(asked)) return null;
  return new GatewayError(
    "overloaded",
    `${didNotAnswer(silent)} The list would lack their sessions. Try again.`,
    { retryAfterMs: 1_000 },
  );
}

const didNotAnswer = (silent: readonly FrontWorker[]): string =>
  `Some workers did not answer: ${silent.map(({ number }) => number).join(", ")}.`;

function mergeMetrics(
  metrics: MetricsMerger,
  pools: WorkerPools,
  connections: CallerConnections,
  answers: readonly WorkerAnswer[],
  req: IncomingMessage,
): Omit<WorkerAnswer, "worker"> {
  // The counts of a worker that died after its answer are already among those of the dead.
  for (const { worker, body } of answers)
    if (pools.has(worker)) metrics.read(worker.number, body.toString());
  const format = scrapeFormat(req.headers.accept);
  // The workers' own values count the front's connections.
  const own = {
    gateway_connections_open: connections.open,
    gateway_connections_accepted_total: connections.accepted,
    gateway_connections_dropped_total: connections.dropped,
  };
  const { status, headers } = anyAnswer(answers);
  const type = format === "openmetrics" ? openMetricsType : prometheusType;
  return {
    status,
    headers: headers.map((text, at) => (headers[at - 1] === "content-type" ? type : text)),
    body: Buffer.from(metrics.render(own, format)),
  };
}

function mergeSessions(answers: readonly WorkerAnswer[], asked: Asked) {
  if (asksForStored(asked)) return anyAnswer(answers);
  const page = mergeSessionPages(answers, Number(queryOf(asked).get("limit") ?? 100));
  return { ...anyAnswer(answers), body: Buffer.from(JSON.stringify(page)) };
}

/** Stored sessions are the same at every worker. */
const asksForStored = (asked: Asked): boolean => queryOf(asked).get("stored") === "true";

const queryOf = ({ url }: Asked): URLSearchParams =>
  new URLSearchParams(url.slice(pathnameOf(url).length));

function starting(config: GatewayConfig): Omit<WorkerAnswer, "worker"> {
  const body = Buffer.from(JSON.stringify(readinessBody(config, "starting", null)));
  const headers = ["content-type", "application/json", "x-request-id", createTimeOrderedId()];
  return { status: 503, headers, body };
}

function refuse(res: ServerResponse, error: GatewayError): void {
  replyError(res, error, createTimeOrderedId(), []);
}
