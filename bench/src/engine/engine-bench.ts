import { mkdtempSync, rmSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
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

/** What the route may add to a first chunk's delay, in milliseconds. */
const MOST_ADDED_MS = 2;
const SIZES = [1_000, 10_000, 100_000] as const;
const MODELS = ["plain", "engine"] as const;
const MAIN = import.meta.resolve("./engine-main.ts");

type Model = (typeof MODELS)[number];

interface Figures {
  readonly tokens: number;
  readonly model: Model;
  readonly first_chunk_ms: number;
  readonly cpu_ms: number;
}

/**
 * What a step costs on a route with an engine, next to the same step without one, by the length of its history; exit
 * status 1 if the first chunk is later than allowed.
 */
export async function runEngineBench(steps: number, force: boolean): Promise<number> {
  const machine = await prepareMachine(force);
  if (machine === null) return 2;
  const { cores, description, loaded } = machine;
  const { port, process: started } = await startServer(MAIN, cores.upstream);
  const folder = mkdtempSync(join(RESULTS_FOLDER, "engine-"));
  const upstream = { port, pid: started.pid, cores: cores.upstream };
  const gateway = await bothRoutes(port).start({ upstream, cores: cores.server, folder });
  const figures: Figures[] = [];
  try {
    for (const tokens of SIZES) figures.push(...(await measure(gateway, tokens, steps)));
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

/** Two sessions of one history, whose steps alternate. */
async function measure(
  { port, pid }: RunningServer,
  tokens: number,
  steps: number,
): Promise<Figures[]> {
  const messages: object[] = [{ role: "user", content: "word ".repeat(tokens).trim() }];
  const taken = MODELS.map((model) => ({
    model,
    first: [] as number[],
    cpu: [] as number[],
  }));
  // The first step renders the whole history, and a few more warm up.
  for (let step = -3; step < steps; step += 1) {
    for (const { model, first, cpu } of step % 2 === 0 ? taken : taken.toReversed()) {
      const body = JSON.stringify({ model, stream: true, messages });
      const before = cpuMicroseconds(pid);
      const delay = await firstChunkMs(port, `${model}-${tokens}`, body);
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
  return taken.map(({ model, first, cpu }) => ({
    ...{ tokens, model, first_chunk_ms: median(first) },
    // The system counts in hundredths of a second: only their sum says something.
    cpu_ms: cpu.reduce((sum, each) => sum + each, 0) / steps,
  }));
}

/** From the request's last byte to the first text. */
function firstChunkMs(port: number, session: string, body: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const path = `/v1/sessions/${session}/chat/completions`;
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
  const rows = SIZES.map((tokens) => {
    const [plain, engine] = MODELS.map((model) =>
      figures.find((each) => each.tokens === tokens && each.model === model),
    );
    if (plain === undefined || engine === undefined) throw new Error("a figure is missing");
    return { tokens, plain, engine, added: engine.first_chunk_ms - plain.first_chunk_ms };
  });
  const header = [
    ...["tokens of history", "first chunk ms", "with an engine", `added (<= ${MOST_ADDED_MS})`],
    ...["CPU ms/step", "with an engine"],
  ];
  const cells = rows.map(({ tokens, plain, engine, added }) => [
    String(tokens),
    plain.first_chunk_ms.toFixed(2),
    engine.first_chunk_ms.toFixed(2),
    `${added.toFixed(2)} ${verdict(added <= MOST_ADDED_MS)}`,
    plain.cpu_ms.toFixed(1),
    engine.cpu_ms.toFixed(1),
  ]);
  console.log(`\n${textTable(header, cells)}`);
  return rows.every(({ added }) => added <= MOST_ADDED_MS);
}
