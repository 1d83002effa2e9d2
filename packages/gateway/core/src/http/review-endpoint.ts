import { fixedPaths } from "@proj/gateway-protocol";
import { noReview } from "@proj/session-store/answers";
import type { Express } from "express";
import { GatewayError } from "../errors/gateway-error.ts";
import { browsing, queryOf } from "./browse-endpoints.ts";
import { sendJson } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { readJsonObject } from "./json-body.ts";
import { onlyMethods } from "./only-methods.ts";

/** Comments are as long as a person likes. */
const maxBytes = 256 * 1024;

/** `GET /v1/jobs/{job_id}/review?person=` and the POST of scores: the queue in which people score rollouts. */
export function addReview(app: Express, dependencies: ControlDependencies): void {
  const { access, reviews } = dependencies;
  app
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
      const body = await readJsonObject(req, res, dependencies, maxBytes);
      sendJson(res, found(job_id, await browsing(reviews.submit(job_id, body))));
    })
    .all(onlyMethods("GET", "HEAD", "POST"));
}

/** @throws GatewayError not_found */
function found<Body>(job_id: string, body: Body | null): Body {
  if (body === null) throw new GatewayError("not_found", noReview(job_id));
  return body;
}
