import { request } from "node:http";
import { setTimeout } from "node:timers/promises";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import type { RunningServer } from "../servers/server-row.ts";
import { median, quantileOfSorted } from "../statistics.ts";

/** Each of the gateway's ways, and the upstream asked itself for the same: `text` in messages, `ids` in token ids. */
const WAYS = ["text", "unbound", "ids", "engine"] as const;
/** Steps until the code is compiled that they run. */
const WARM_UP = 15;
/** Of " word" in the vocabulary. */
const WORD = 3_409;

type OfWays = Record<(typeof WAYS)[number], number>;

/** What the steps behind one history took, in milliseconds. */
export interface FirstChunks {
  readonly tokens: number;
  /** Medians. */
  readonly first_chunk_ms: Readonly<OfWays>;
  readonly cpu_ms: Readonly<OfWays>;
  /** How much more the route with an engine adds to a step than the call without either adds to it: the median. */
  readonly more_ms: number;
  /** Between these is the middle half of the steps. */
  readonly quartiles_ms: readonly [number, number];
}

export interface FirstChunksOptions {
  readonly gateway: RunningServer;
  /** The engine's port. */
  readonly engine: number;
  readonly tokens: number;
  readonly steps: number;
  /** Of this measurement alone. */
  readonly session: string;
}

/** One history, asked in every way in turn. */
export async function measureFirstChunks(options: FirstChunksOptions): Promise<FirstChunks> {
  const { tokens, steps, gateway } = options;
  const messages: object[] = [{ role: "user", content: "word ".repeat(tokens).trim() }];
  const ids = { prompt_token_ids: new Array(tokens).fill(WORD) };
  const taken: OfWays[] = [];
  const cpu: OfWays[] = [];
  // The first step renders the whole history, and the others before the measured ones warm up.
  for (let step = -WARM_UP; step < steps; step += 1) {
    const [delays, used] = [{ ...nothing }, { ...nothing }];
    for (const way of step % 2 === 0 ? WAYS : WAYS.toReversed()) {
      const asked = way === "ids" ? { messages: [], kv_transfer_params: ids } : { messages };
      const model = way === "engine" ? "engine" : "plain";
      const body = JSON.stringify({ model, stream: true, ...asked });
      const port = way === "ids" || way === "text" ? options.engine : gateway.port;
      const session = way === "engine" ? `/sessions/${options.session}` : "";
      const before = cpuMicroseconds(gateway.pid);
      delays[way] = await firstChunkMs(port, session, body);
      // What is done behind the answer belongs to the step.
      await setTimeout(50);
      used[way] = (cpuMicroseconds(gateway.pid) - before) / 1_000;
    }
    if (step >= 0) {
      taken.push(delays);
      cpu.push(used);
    }
    messages.push(
      { role: "assistant", content: "It is done." },
      { role: "user", content: `Then do part ${step} of the work, and say when it is done.` },
    );
  }
  const more = taken
    .map(({ text, unbound, ids, engine }) => engine - ids - (unbound - text))
    .toSorted((one, other) => one - other);
  return {
    tokens,
    first_chunk_ms: ofWays((way) => median(taken.map((delays) => delays[way]))),
    // The system counts in hundredths of a second: only their sum says something.
    cpu_ms: ofWays((way) => cpu.reduce((sum, used) => sum + used[way], 0) / steps),
    more_ms: median(more),
    quartiles_ms: [quantileOfSorted(more, 0.25), quantileOfSorted(more, 0.75)],
  };
}

const nothing: OfWays = { text: 0, unbound: 0, ids: 0, engine: 0 };

const ofWays = (figure: (way: keyof OfWays) => number): OfWays => ({
  text: figure("text"),
  unbound: figure("unbound"),
  ids: figure("ids"),
  engine: figure("engine"),
});

/** From the request's last byte to the first text. */
function firstChunkMs(port: number, session: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `/v1${session}/chat/completions`;
    const headers = { "content-type": "application/json" };
    const sent = request({ port, host: "127.0.0.1", method: "POST", path, headers });
    sent.on("error", reject).on("response", (answer) => {
      let text = "";
      let delay = Number.NaN;
      answer.setEncoding("utf8").on("data", (chunk: string) => {
        text += chunk;
        if (Number.isNaN(delay) && text.includes('"It"')) delay = performance.now() - at;
      });
      answer.on("error", reject).on("end", () => {
        if (text.includes("[DONE]")) resolve(delay);
        else reject(new Error(`a wrong answer: ${text.slice(0, 500)}`));
      });
    });
    const at = performance.now();
    sent.end(body);
  });
}
