import { buildHistory, HISTORY_SUFFIX, type History } from "./growing-history.ts";
import type { BodyName } from "./load-protocol.ts";

interface Payload {
  readonly sessionId: string;
  readonly parts: readonly Buffer[];
  readonly length: number;
}

/** The next bodies of one server's sessions. */
export interface BodySource {
  /** Whether a session sends the same payload every time. */
  readonly fixed: boolean;
  next(session: number): Payload;
}

const GROWING_BYTES = {
  "200k": [150_000, 250_000],
  "1m": [950_000, 1_050_000],
} as const;

const HISTORIES = 64;

export function createBodySource(body: BodyName, paceMs: number): BodySource {
  if (body === "200k" || body === "1m") return new GrowingSource(body);
  return new FixedSource(chatBody(body === "stream", paceMs));
}

class FixedSource implements BodySource {
  readonly fixed = true;
  readonly #body: Buffer;

  constructor(body: Buffer) {
    this.#body = body;
  }

  next(session: number): Payload {
    return { sessionId: `bench-${session}`, parts: [this.#body], length: this.#body.length };
  }
}

/**
 * Each session repeats its history and appends to it; at the longest it starts over under another id.
 * Sessions start at different lengths, so that fast and slow servers always see the same mixture.
 */
class GrowingSource implements BodySource {
  readonly fixed = false;
  readonly #histories: readonly History[];
  readonly #steps: number[] = [];
  readonly #generations: number[] = [];

  constructor(body: "200k" | "1m") {
    this.#histories = historiesOf(body);
  }

  next(session: number): Payload {
    const { bytes, ends } = this.#histories[session % HISTORIES] ?? {
      bytes: Buffer.alloc(0),
      ends: [],
    };
    let step = this.#steps[session] ?? Math.floor((ends.length * session) / HISTORIES);
    let generation = this.#generations[session] ?? 0;
    if (step >= ends.length) {
      step = 0;
      generation++;
    }
    this.#steps[session] = step + 1;
    this.#generations[session] = generation;
    const messages = bytes.subarray(0, ends[step]);
    return {
      sessionId: `bench-${session}-${generation}`,
      parts: [messages, HISTORY_SUFFIX],
      length: messages.length + HISTORY_SUFFIX.length,
    };
  }
}

const built = new Map<string, readonly History[]>();

function historiesOf(body: "200k" | "1m"): readonly History[] {
  const [from, to] = GROWING_BYTES[body];
  const known = built.get(body);
  if (known !== undefined) return known;
  const fresh = Array.from({ length: HISTORIES }, (_, seed) =>
    buildHistory(seed, from - HISTORY_SUFFIX.length, to - HISTORY_SUFFIX.length),
  );
  built.set(body, fresh);
  return fresh;
}

/** About 1 KB, with members in the Python client's order. */
function chatBody(stream: boolean, paceMs: number): Buffer {
  const question =
    "You stand at the quay with a chart, a clock and last week's tables. The harbour's gauge " +
    'reads "2.4 m" and falls.\nHow long is there still enough water over the sill, if the keel ' +
    "needs 1.9 m and half a metre of clearance? ";
  const body = {
    messages: [
      {
        role: "system",
        content: "You are a careful navigator. Answer in one paragraph; say what you assume.",
      },
      { role: "user", content: question.repeat(3) },
    ],
    model: "bench-model",
    max_tokens: 256,
    ...(stream ? { stream: true } : {}),
    temperature: 0.7,
    ...(paceMs > 0 ? { user: `pace-${paceMs}ms` } : {}),
  };
  return Buffer.from(JSON.stringify(body));
}
