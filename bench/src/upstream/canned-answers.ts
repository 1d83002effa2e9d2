/** The fake upstream's answers, built once; the load generator checks lengths against them. */

const ANSWER_TEXT =
  "The tide tables list four turning points a day. Between them the height follows, near enough, " +
  "a cosine; the rule of twelfths is that cosine for people without a calculator, and it is good " +
  "to a hand's breadth in most harbours.";

const PLAIN_BODY: Buffer = Buffer.from(
  JSON.stringify({
    id: "chatcmpl-bench00000000000000000001",
    object: "chat.completion",
    created: 1760000000,
    model: "bench-model",
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: ANSWER_TEXT, refusal: null, annotations: [] },
        logprobs: null,
        finish_reason: "stop",
      },
    ],
    usage: { prompt_tokens: 211, completion_tokens: 57, total_tokens: 268 },
    service_tier: "default",
    system_fingerprint: "fp_bench0001",
  }),
);

export const PLAIN_ANSWER_BYTES: number = PLAIN_BODY.length;

/** The whole answer to a plain request, including its head. */
export const PLAIN_RESPONSE: Buffer = plainResponse(PLAIN_BODY);

const STREAM_CHUNKS = 50;

/** The writes of a streamed answer: the first includes the head, the last `[DONE]`. */
export const STREAM_WRITES: readonly Buffer[] = streamWrites(streamEvents());

/** Length of a streamed answer's body without its HTTP framing. */
export const STREAM_ANSWER_BYTES: number = streamEvents().join("").length;

function streamEvents(): string[] {
  const words = ANSWER_TEXT.split(" ");
  const deltas: object[] = [{ role: "assistant", content: "" }];
  while (deltas.length < STREAM_CHUNKS - 1) {
    deltas.push({ content: ` ${words[deltas.length % words.length]}` });
  }
  const events = [...deltas, {}].map((delta, index) => {
    const finish_reason = index === STREAM_CHUNKS - 1 ? "stop" : null;
    const chunk = {
      id: "chatcmpl-bench00000000000000000002",
      object: "chat.completion.chunk",
      created: 1760000000,
      model: "bench-model",
      system_fingerprint: "fp_bench0001",
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    };
    return `data: ${JSON.stringify(chunk)}\n\n`;
  });
  events.push(`${events.pop()}data: [DONE]\n\n`);
  return events;
}

function plainResponse(body: Buffer): Buffer {
  const head =
    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nx-request-id: req_bench0001\r\n" +
    `content-length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body]);
}

/** Each event is a separate HTTP chunk. */
function streamWrites(events: readonly string[]): Buffer[] {
  const head =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\n" +
    "x-request-id: req_bench0002\r\ntransfer-encoding: chunked\r\n\r\n";
  return events.map((event, index) => {
    const framed = `${event.length.toString(16)}\r\n${event}\r\n`;
    const isLast = index === events.length - 1;
    return Buffer.from((index === 0 ? head : "") + framed + (isLast ? "0\r\n\r\n" : ""), "latin1");
  });
}
