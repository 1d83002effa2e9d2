import { askEndpoint, type EndpointOptions, readEndpoint } from "../answer/ask-endpoint.ts";
import { sizedBody } from "../answer/sized-body.ts";
import { askedEvaluator } from "./asked-evaluator.ts";
import { evaluationDocument } from "./evaluation-document.ts";
import type { Evaluator } from "./evaluator.ts";

/**
 * An evaluator behind HTTP. `{"simulation":{…},"result":{…},"workdir":…,"steps":[…]}` is posted to it, with a
 * `content-length` up to 16 MiB; a larger one in chunks, while it is read from storage. The answer's body is the score, or an object with
 * `score` and details; it may take as long as the launcher allows.
 * @throws TypeError `url` is not an http or https URL
 */
export function httpEvaluator(url: string, options: EndpointOptions = {}): Evaluator {
  const endpoint = readEndpoint(url, options);
  const { description, secrets } = endpoint;
  return askedEvaluator(
    description,
    async ({ request, traceparent, signal, mask }) => {
      const body = await sizedBody(() => evaluationDocument(request), signal);
      return askEndpoint(endpoint, { body, traceparent, mask, signal });
    },
    secrets,
  );
}
