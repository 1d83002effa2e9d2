import { stepJson } from "../trajectories/step-json.ts";
import type { EvaluationRequest } from "./evaluator.ts";

/**
 * The document that commands and endpoints judge by, piece by piece:
 * `{"simulation":{…},"result":{…},"workdir":…,"steps":[…]}`. A step is asked for once the pieces before it are
 * taken, so that no more than storage's page is in memory, however many there are.
 */
export async function* evaluationDocument(request: EvaluationRequest): AsyncGenerator<string> {
  const { simulation, result, workdir } = request;
  yield `{"simulation":${JSON.stringify(simulation)},"result":${JSON.stringify(result)},"workdir":${JSON.stringify(workdir)},"steps":[`;
  let isFirst = true;
  for await (const step of request.steps()) {
    if (!isFirst) yield ",\n";
    isFirst = false;
    yield* stepJson(step);
  }
  yield "]}\n";
}
