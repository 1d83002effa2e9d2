import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { exitCode } from "@proj/program";
import { qwen3Folder } from "@proj/test-kit";
import { startServer } from "../machine/pinned-process.ts";
import { prepareMachine } from "../machine/prepare-machine.ts";
import { cpuMicroseconds } from "../machine/process-figures.ts";
import { RESULTS_FOLDER, writeResults } from "../results.ts";
import { gatewayRow } from "../servers/gateway-rows.ts";
import type { RunningServer, ServerRow } from "../servers/server-row.ts";
import { median } from "../statistics.ts";
import { progress, verdict } from "../terminal/progress.ts";
import { textTable } from "../terminal/text-table.ts";

/** How much more the route may add to a first chunk's delay than a call without session or engine, in milliseconds. */
const MOST_ADDED_MS = 2;
const SIZES = [1_000, 10_000, 100_000] as const;
/** Each of the gateway's ways, and the upstream asked itself for the same: `text` in messages, `ids` in token ids. */
const WAYS = ["text", "unbound", "ids", "engine"] as const;
/** Of " word" in the vocabulary. */
const WORD = 3_409;
const MAIN = import.meta.resolve("./engine-main.ts");

type Way = (typeof WAYS)[number];

interface Figures {
  readonly tokens: number;
  readonly way: Way;
  readonly first_chunk_ms: number;
  readonly cpu_ms: number;
}

/**
 * What a step adds to the engine's own time on a route with an engine, next to what a call without session or engine
 * adds, by the length of its history; exit status 1 if the first chunk is later than allowed.
 */
export async function runEngineBench(steps: number, force: boolean): Promise<number> {
  const machine = await prepareMachine(force);
  if (machine === null) return exitCode.failed;
  const { cores, description, loaded } = machine;
  const { port, process: started } = await startServer(MAIN, cores.upstream);
  const folder = mkdtempSync(join(RESULTS_FOLDER, "engine-"));
  const upstream = { port, pid: started.pid, cores: cores.upstream };
  const gateway = await bothRoutes(port).start({ upstream, cores: cores.server, folder });
  const figures: Figures[] = [];
  try {
    for (const tokens of SIZES) figures.push(...(await measure(gateway, port, tokens, steps)));
  } finally {
    await gateway.stop();
    await started.stop();
    rmSync(folder, { recursive: true });
  }
  writeResults("engine", { machine: description, loaded_machine: loaded, steps, figures });
  return tell(figures) ? 0 : 1;
}

function bothRoutes(port: number): ServerRow {
  const base_url = `http://127.0.0.1:${port}/v1`;
  return gatewayRow({
    name: "gateway-engine",
    description: "a route with an engine, and one without",
    bound: true,
    llm_routes: {
      plain: { base_url },
      engine: { base_url, engine: "vllm", tokenizer: qwen3Folder },
    },
  });
}

/** One history, asked in every way in turn. */
async function measure(
  { port, pid }: RunningServer,
  upstream: number,
  tokens: number,
  steps: number,
): Promise<Figures[]> {
  const messages: object[] = [{ role: "user", content: "word ".repeat(tokens).trim() }];
  const ids = { prompt_token_ids: new Array(tokens).fill(WORD) };
  const taken = WAYS.map((way) => ({ way, first: [] as number[], cpu: [] as number[] }));
  // The first step renders the whole history, and a few more warm up.
  for (let step = -3; step < steps; step += 1) {
    for (const { way, first, cpu } of step % 2 === 0 ? taken : taken.toReversed()) {
      const asked = way === "ids" ? { messages: [], kv_transfer_params: ids } : { messages };
      const model = way === "engine" ? "engine" : "plain";
      const body = JSON.stringify({ model, stream: true, ...asked });
      const isDirect = way === "ids" || way === "text";
      const session = way === "engine" ? `/sessions/${tokens}` : "";
      const before = cpuMicroseconds(pid);
      const delay = await firstChunkMs(isDirect ? upstream : port, session, body);
      // What is done behind the answer belongs to the step.
      await new Promise((resolve) => setTimeout(resolve, 50));
      if (step < 0) continue;
      first.push(delay);
      cpu.push((cpuMicroseconds(pid) - before) / 1_000);
    }
    messages.push(
      { role: "assistant", content: "It is done." },
      { role: "user", content: `Then do part ${step} of the work, and say when it is done.` },
    );
  }
  progress(`${tokens} tokens: ${steps} steps of each`);
  return taken.map(({ way, first, cpu }) => ({
    ...{ tokens, way, first_chunk_ms: median(first) },
    // The system counts in hundredths of a second: only their sum says something.
    cpu_ms: cpu.reduce((sum, each) => sum + each, 0) / steps,
  }));
}

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

function tell(figures: readonly Figures[]): boolean {
  const figureOf = (tokens: number, way: Way): Figures => {
    const found = figures.find((each) => each.tokens === tokens && each.way === way);
    if (found === undefined) throw new Error("a figure is missing");
    return found;
  };
  const rows = SIZES.map((tokens) => {
    const [text, unbound, ids, engine] = [
      figureOf(tokens, "text"),
      figureOf(tokens, "unbound"),
      figureOf(tokens, "ids"),
      figureOf(tokens, "engine"),
    ];
    const unboundAdds = unbound.first_chunk_ms - text.first_chunk_ms;
    const engineAdds = engine.first_chunk_ms - ids.first_chunk_ms;
    return {
      tokens,
      ids,
      unbound,
      engine,
      unboundAdds,
      engineAdds,
      more: engineAdds - unboundAdds,
    };
  });
  const header = [
    ...["tokens of history", "engine's own first chunk ms", "unbound adds", "engine route adds"],
    ...[`more (<= ${MOST_ADDED_MS})`, "CPU ms/call unbound", "CPU ms/step with an engine"],
  ];
  const cells = rows.map(({ tokens, ids, unbound, engine, unboundAdds, engineAdds, more }) => [
    String(tokens),
    ids.first_chunk_ms.toFixed(2),
    unboundAdds.toFixed(2),
    engineAdds.toFixed(2),
    `${more.toFixed(2)} ${verdict(more <= MOST_ADDED_MS)}`,
    unbound.cpu_ms.toFixed(1),
    engine.cpu_ms.toFixed(1),
  ]);
  console.log(`\n${textTable(header, cells)}`);
  return rows.every(({ more }) => more <= MOST_ADDED_MS);
}
