import type { RequestListener } from "node:http";
import type { Ranking } from "@proj/points-client/wire";
import {
  answerMethodNotAllowed,
  createRouter,
  group,
  type MissingStrategy,
  notFound,
} from "@proj/resource-router";
import type { Operations } from "../operations/operations.ts";
import { pageFiles } from "../page/page-files.ts";
import type { PointsStore } from "../points-store.ts";
import { setCommonHeaders } from "./common-headers.ts";
import { ingestResource } from "./ingest-resource.ts";
import { networkAsked, otherNetwork } from "./other-network.ts";
import { pointsResources } from "./points-resources.ts";
import { priceResource } from "./price-resource.ts";
import { routeOf, sendOperations } from "./send-operations.ts";
import { sendPageFile } from "./send-page-file.ts";
import { sendProblem } from "./send-problem.ts";

export interface PointsListenerOptions {
  readonly store: PointsStore;
  /** The first segment of the paths of the points API; `points` for a fallback. @default "api" */
  readonly prefix?: string;
  /** A `whsec_…` secret of Standard Webhooks; without it there is no `/ingest`. @default null */
  readonly ingest_secret?: string | null;
  /** How many seconds browsers and proxies may cache prices; 0: they revalidate each time. @default 0 */
  readonly price_max_age_s?: number;
  /** The rankings that the page offers besides the total; null: those that the program has. @default null */
  readonly page_rankings?: readonly Ranking[] | null;
  /** Largest body that `/ingest` takes. @default 4194304 */
  readonly max_body_bytes?: number;
  /** Serves `/healthz`, `/readyz` and `/metrics`, and keeps the metrics. @default none of these */
  readonly operations?: Operations | undefined;
  /** Gets the errors that callers only see as status 500. @default console.error */
  readonly onError?: (error: unknown) => void;
}

/**
 * Serves the points and prices of a store, accepts events, and has a web page at `/`.
 * @throws TypeError the secret is invalid, or the prefix is not a path
 * @throws Error the prefix or the network collides with another path
 */
export function pointsListener(options: PointsListenerOptions): RequestListener {
  const { store, prefix = "api", ingest_secret = null, max_body_bytes = 4 * 2 ** 20 } = options;
  const { price_max_age_s = 0, page_rankings: rankings = null, operations } = options;
  const { onError: tell = (error: unknown) => console.error(error) } = options;
  const onError = (error: unknown): void => {
    operations?.onError(error);
    tell(error);
  };
  const { network, refreshTime, quest } = store.program;
  const ingest = ingest_secret === null ? [] : [ingestResource(store, ingest_secret, operations)];
  const router = createRouter(
    [
      group(prefix, pointsResources(store, price_max_age_s)),
      priceResource(store, price_max_age_s),
      ...ingest,
    ],
    { missing, maxBodyBytes: max_body_bytes, onError },
  );
  // Everybody has completed a quest that needs no points: there is none.
  const files = pageFiles({ prefix, network, rankings, hasQuest: BigInt(quest.threshold) > 0n });

  return (request, response) => {
    const { url: target = "" } = request;
    setCommonHeaders(request, response);
    if (operations !== undefined) {
      if (sendOperations(request, response, target.split("?", 1)[0] ?? "", operations)) return;
      response.once("finish", () =>
        operations.countAnswer(routeOf(target, prefix), response.statusCode),
      );
    }
    if (router.handle(request, response)) return;
    const asked = networkAsked(target, prefix);
    if (asked !== null && asked !== network)
      return sendProblem(response, otherNetwork(asked, network));
    const file = files.get(target.split(/[?#]/, 1)[0] ?? "");
    if (file === undefined) router.refuse(request, response);
    else sendPageFile(request, response, file, refreshTime);
  };
}

/** An incomplete path, such as a ranking without an address, is answered 404. */
const missing: MissingStrategy = (asked) =>
  asked.allow === "OPTIONS"
    ? notFound(`There is nothing at this path below '${asked.resource}'.`)
    : answerMethodNotAllowed(asked);
