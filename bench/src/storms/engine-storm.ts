import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { EnginePrompts, RecordedStep } from "@proj/sequences/recorded";
import { openJobReader } from "@proj/session-store";
import {
  qwen3Folder,
  type SampledAnswer,
  startSamplingEngine,
  temporaryFolder,
  waitFor,
} from "@proj/test-kit";
import { type AgentAnswer, EngineAgent, faults } from "./engine-agent.ts";
import { GatewayProcess } from "./gateway-process.ts";
import { databaseFile } from "./stored-rows.ts";
import type { Storm } from "./storm.ts";

const sessions = 9;
const maxStormMs = 1_800_000;

/** Callers that leave, engines that die in a token and gateways that are killed, on a route with an engine. */
export const engineStorm: Storm = {
  name: "engine",
  reasonMissing: () => null,
  run: async ({ requests, kills, seed }, report) => {
    await using folder = await temporaryFolder();
    /** By what was said, which is different each time. */
    const sampled = new Map<string, SampledAnswer>();
    await using engine = await startSamplingEngine(
      ({ request }) => ({
        reasoning: "Hm.",
        text: `Number ${request.order}, said in a few tokens.`,
      }),
      {
        onAnswer: (answer) => void sampled.set(answer.saying.text ?? "", answer),
        beforePiece: async (piece, { text }, reply) => {
          const at = Number(
            /.*\[die (\d+)\]/s.exec(text.split("<|im_start|>user").at(-1) ?? "")?.[1],
          );
          if (piece === at) reply.reset();
          await delay(1);
          return piece !== at;
        },
      },
    );
    const db_url = `sqlite://${join(folder.path, databaseFile)}`;
    await using gateway = await GatewayProcess.start(folder.path, {
      storage_config: { db_url },
      llm_routes: {
        policy: {
          ...{ base_url: engine.url, engine: "vllm", tokenizer: qwen3Folder, retries: 0 },
          endpoints: ["chat_completions", "responses", "messages"],
        },
      },
    });
    const ending = new AbortController();
    const agents = Array.from(
      { length: sessions },
      (_, at) => new EngineAgent(gateway.url, at, seed),
    );
    const work = Promise.all(agents.map((agent) => agent.run(ending.signal)));
    const faulted = (): number => agents.reduce((sum, agent) => sum + agent.faulted, 0);
    for (let kill = 1; kill <= kills; kill += 1) {
      const until = Math.floor((requests * kill) / (kills + 1));
      await waitFor(() => faulted() >= until, "faults", maxStormMs);
      await gateway.kill();
      await gateway.restart();
    }
    await waitFor(() => faulted() >= requests, "faults", maxStormMs);
    ending.abort();
    await work;
    report.equal("every gauge is at zero", await gateway.atRest(), {});
    report.equal("SIGTERM ends it with 0", await gateway.stop(), 0);
    const answers = agents.flatMap((agent) => agent.answers);
    const steps = await stepsOf(db_url, answers);
    report.none(
      "every answer has a row with all its ids",
      answers.filter((answer) => !isWhole(answer, steps, sampled)),
    );
    const continued = [...steps.values()].filter(({ made }) => made === "continued").length;
    report.equal("turns were continued", continued > answers.length / 4, true);
    for (const [name, count] of faults.map(
      (fault) =>
        [fault, agents.reduce((sum, agent) => sum + (agent.counts.get(fault) ?? 0), 0)] as const,
    ))
      report.figure(name, count);
    report.figure("kills of the gateway", kills);
    report.figure("answers", answers.length);
    report.figure("continued", continued);
  },
};

interface ReadStep {
  readonly step: RecordedStep;
  readonly made: unknown;
}

/** Rows as an export reads them, by session and number. */
async function stepsOf(
  db_url: string,
  answers: readonly AgentAnswer[],
): Promise<Map<string, ReadStep>> {
  const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
  const found = new Map<string, ReadStep>();
  try {
    for (const session_id of new Set(answers.map((answer) => answer.session_id))) {
      const prompts = new EnginePrompts();
      for (let after: number | null = 0; after !== null; ) {
        const page: Awaited<ReturnType<typeof store.readSteps>> = await store.readSteps({
          session_id,
          after,
        });
        for (const row of page.steps) {
          const made = JSON.parse(row.response ?? "null")?.engine?.made;
          found.set(`${session_id} ${row.step_id}`, { step: new RecordedStep(row, prompts), made });
        }
        after = page.next_after;
      }
    }
    return found;
  } finally {
    await store.close();
  }
}

function isWhole(
  { session_id, step_id, text }: AgentAnswer,
  steps: ReadonlyMap<string, ReadStep>,
  sampled: ReadonlyMap<string, SampledAnswer>,
): boolean {
  const { step } = steps.get(`${session_id} ${step_id}`) ?? {};
  const said = sampled.get(text);
  if (step === undefined || said === undefined || step.status_code !== 200) return false;
  const same = (ids: ArrayLike<number> | null, expected: readonly number[]): boolean =>
    ids !== null && ids.length === expected.length && expected.every((id, at) => id === ids[at]);
  const { prompt_ids, completion_ids, logprobs } = step;
  return (
    same(prompt_ids, said.prompt_ids) &&
    same(completion_ids, said.token_ids) &&
    logprobs?.length === said.token_ids.length
  );
}
