import type { StoredStep } from "@proj/session-store";
import type { EvaluationRequest } from "./evaluator.ts";

/**
 * The document that commands and endpoints judge by, piece by piece:
 * `{"simulation":{…},"result":{…},"steps":[…]}`. A step is asked for once the pieces before it are
 * taken, so that no more than storage's page is in memory, however many there are.
 */
export async function* evaluationDocument(request: EvaluationRequest): AsyncGenerator<string> {
  const { simulation, result } = request;
  yield `{"simulation":${JSON.stringify(simulation)},"result":${JSON.stringify(result)},"steps":[`;
  let isFirst = true;
  for await (const step of request.steps()) {
    if (!isFirst) yield ",\n";
    isFirst = false;
    yield* stepPieces(step);
  }
  yield "]}\n";
}

function* stepPieces(step: StoredStep): Generator<string> {
  const { meta_json, request, response, messages, ...columns } = step;
  yield JSON.stringify(columns).slice(0, -1);
  for (const [name, json] of Object.entries({ meta_json, request, response, messages })) {
    yield `,"${name}":`;
    yield asJson(json);
  }
  yield "}";
}

/** The stored text, as JSON within JSON. Text that is no JSON would spoil the document: it becomes a string. */
function asJson(text: string | null): string {
  if (text === null) return "null";
  try {
    JSON.parse(text);
    return text;
  } catch {
    return JSON.stringify(text);
  }
}
