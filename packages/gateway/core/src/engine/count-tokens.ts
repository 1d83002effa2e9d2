import { type ChatTranslation, NotSupportedByEngine } from "@proj/model-apis";
import type { JsonObject } from "@proj/model-apis/json";
import { type Answer, createOwnAnswer } from "../call/answer.ts";
import type { Call } from "../call/call.ts";
import type { EngineRoute } from "./engines.ts";
import { hasImages, readAsked } from "./read-asked.ts";
import { type ReadRequest, readWhole } from "./read-grown.ts";

/** Counts the tokens of a prompt, rendered whole, without asking the engine to answer it. */
export async function countTokens(
  call: Call,
  chat: ChatTranslation,
  writeCount: (tokens: number) => JsonObject,
  { name, renderer }: EngineRoute,
): Promise<Answer> {
  const read = (): ReadRequest => {
    const whole = readWhole(call.body.bytes, chat.read);
    if (hasImages(whole.asked)) throw new NotSupportedByEngine("messages", "counting images");
    return whole;
  };
  const { asked } = readAsked(call, read, name);
  const abort = new AbortController();
  const stopListening = call.cancellation.onCancel((reason) => abort.abort(reason));
  try {
    const { length } = await (await renderer).render(asked, abort.signal);
    const headers = ["content-type", "application/json"];
    return createOwnAnswer(200, headers, "plain", Buffer.from(JSON.stringify(writeCount(length))));
  } finally {
    stopListening();
    call.cancellation.throwIfCancelled();
  }
}
