import { endpointsByName, type RequestBody } from "@proj/model-apis";
import type { Answer, AnswerBody } from "../call/answer.ts";
import { BodyMemory } from "../call/body-memory.ts";
import type { Call } from "../call/call.ts";
import type { Cancellation } from "../call/cancellation.ts";
import type { Handler } from "../call/stage.ts";
import { GatewayError } from "../errors/gateway-error.ts";

/** Asks an engine in the call's place; what forwarding learns is shared with the call. */
export function askInIds<C extends Call>(
  call: C,
  body: RequestBody,
  next: Handler<C>,
  own: Partial<Call> = {},
): Promise<Answer> {
  call.sent.isWritten = true;
  const asking: C = {
    ...call,
    endpoint: endpointsByName.chat_completions,
    headers: { ...call.headers, "content-type": "application/json", "content-encoding": undefined },
    body,
    memory: new BodyMemory(body.bytes),
    ...own,
  };
  return next(asking);
}

/** Asks an engine to go on with an answer that its pause has cut off, once the call has a place on the route again. */
export async function goOn<C extends Call>(
  call: C,
  body: RequestBody,
  cancellation: Cancellation,
  next: Handler<C>,
): Promise<AnswerBody> {
  const { queue } = call.route;
  const { queueKey, maxPlaces } = call;
  await queue.acquire(queueKey, cancellation, maxPlaces);
  const giveBack = (): void => queue.release(queueKey, maxPlaces);
  try {
    // The time to the first byte is that of the first part.
    const timings = { ...call.timings };
    const route = call.route.latest;
    const answer = await askInIds({ ...call, route }, body, next, { cancellation, timings });
    const { status, format, received } = answer;
    if (status !== 200 || format !== "event_stream") {
      const error = new GatewayError(
        "upstream_invalid_response",
        `The engine of route '${call.model}' was asked to go on with an answer after its pause, and answered ${status}.`,
      );
      answer.body.cancel(error);
      throw error;
    }
    received.when(() => {
      call.timings.upstreamEnded = timings.upstreamEnded;
      giveBack();
    });
    return answer.body;
  } catch (error) {
    giveBack();
    throw error;
  }
}
