import { stepJson } from "@proj/session-store/answers";
import type { EvaluationRequest } from "./evaluator.ts";

/**
 * The document that commands and endpoints judge by, piece by piece:
 * `{"simulation":{…},"result":{…},"workdir":…,"steps":[…]}`. A step is read only after the pieces before it were
 * consumed, so no more than one page of steps is ever in memory.
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
