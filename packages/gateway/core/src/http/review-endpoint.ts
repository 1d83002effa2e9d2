import { fixedPaths, type GatewayConfig } from "@proj/gateway-protocol";
import { noReview, type ReviewQueue } from "@proj/session-store/answers";
import { Router } from "express";
import type { BufferedBytes } from "../call/body-memory.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import type { AccessControl } from "./access-control.ts";
import { browsing, queryOf } from "./browse-endpoints.ts";
import { sendJson } from "./control-answer.ts";
import { readJsonObject } from "./json-body.ts";
import { onlyMethods } from "./only-methods.ts";
import { bodyPace } from "./read-body.ts";

export interface ReviewDependencies {
  readonly config: GatewayConfig;
  readonly access: AccessControl;
  readonly buffered: BufferedBytes;
  readonly reviews: ReviewQueue;
}

/** Comments are as long as a person likes. */
const maxBytes = 256 * 1024;

/** `GET /v1/jobs/{job_id}/review?person=` and the POST of scores: the queue in which people score rollouts. */
export function reviewEndpoint({ config, access, buffered, reviews }: ReviewDependencies): Router {
  const pace = bodyPace(config);
  const router = Router({ caseSensitive: true, strict: true });
  router
    .route(`${fixedPaths.jobs}/:job_id/review`)
    .get(async (req, res) => {
      access.authenticate(req, null);
      const { job_id } = req.params;
      const person = queryOf(req).get("person") ?? "";
      sendJson(res, found(job_id, await browsing(reviews.next(job_id, person))));
    })
    .post(async (req, res) => {
      access.authenticate(req, null);
      const { job_id } = req.params;
      const body = await readJsonObject({ req, res }, pace, buffered, maxBytes);
      sendJson(res, found(job_id, await browsing(reviews.submit(job_id, body))));
    })
    .all(onlyMethods("GET", "HEAD", "POST"));
  return router;
}

/** @throws GatewayError not_found */
function found<Body>(job_id: string, body: Body | null): Body {
  if (body === null) throw new GatewayError("not_found", noReview(job_id));
  return body;
}
