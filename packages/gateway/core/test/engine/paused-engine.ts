import { startFaultyUpstream } from "@proj/test-kit";
import { expect } from "vitest";
import { type StepRecord, startGateway, type TestGateway } from "../start-gateway.ts";
import { endAnswer, type Sampled, tokenizer, writeChunk } from "./engine-server.ts";

interface Asked {
  readonly ids: readonly number[];
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly tool_choice?: unknown;
}

/** The engine stops where an answer has this, until it is paused, and then says that it was aborted. */
export const paused: unique symbol = Symbol("paused");
export type Part = readonly (Sampled | typeof paused)[];

/** How an engine's parser reads the whole of an answer. */
export interface Parsed {
  readonly name: string;
  readonly arguments: string;
}

/** One test's answers, in a session of its own. */
export interface Played {
  readonly url: string;
  readonly asked: readonly Asked[];
  /** The answers that it was asked to parse. */
  readonly parsed: readonly {
    readonly prompt: readonly number[];
    readonly ids: readonly number[];
  }[];
  steps(): StepRecord[];
  pause(): Promise<void>;
  resume(weight_version: string): Promise<void>;
}

export interface PausedEngine {
  readonly gateway: TestGateway;
  /**
   * From now on the engine gives these answers.
   * @param resumes whether it is paused and resumed where it stops
   * @param calls what its parser finds; by default it was started without one that can be asked
   */
  play(parts: readonly Part[], resumes?: boolean, calls?: readonly Parsed[]): Promise<Played>;
  close(): Promise<void>;
}

/** An engine whose answers are in parts, and a gateway that pauses it with `abort` when it stops, and resumes it. */
export async function startPaused(route: object = {}): Promise<PausedEngine> {
  let parts: readonly Part[] = [];
  let asked: Asked[] = [];
  let calls: readonly Parsed[] | undefined;
  let parsed: { prompt: number[]; ids: number[] }[] = [];
  let [sessions, resumes] = [0, true];
  let resumed = Promise.resolve();
  let aborted = Promise.withResolvers<void>();
  const engine = await startFaultyUpstream(async (request, reply) => {
    if (request.path.startsWith("/pause")) aborted.resolve();
    if (!request.path.includes("chat/completions")) return void reply.json({});
    if (request.path.endsWith("/derender")) {
      const { generate_response } = JSON.parse(request.body.toString());
      const { prompt_token_ids: prompt, choices } = generate_response;
      parsed.push({ prompt, ids: choices[0].token_ids });
      const tool_calls = calls?.map((it) => ({ id: "1", type: "function", function: it }));
      const message = { role: "assistant", content: null, tool_calls };
      return void reply.json({ choices: [{ index: 0, message }] }, { status: calls ? 200 : 403 });
    }
    const { kv_transfer_params, ...body } = JSON.parse(request.body.toString());
    const ids: number[] = kv_transfer_params.prompt_token_ids;
    asked.push({ ...body, ids });
    const part = parts[asked.length - 1] ?? [];
    await reply.startEvents();
    for (const [at, sampled] of part.entries()) {
      const first = at === 0 ? { prompt_token_ids: ids } : {};
      if (sampled === paused) {
        const { promise } = aborted;
        if (resumes)
          resumed = pause().then(() => {
            aborted = Promise.withResolvers();
            return resume(`step-${asked.length + 1}`);
          });
        await promise;
        // What its parsers held back comes without tokens.
        await writeChunk(reply, { delta: { content: "<" }, ids: [] }, first, "abort");
      } else {
        const isLast = at === part.length - 1;
        const finish = part.some((it) => it !== paused && "tool_calls" in it.delta)
          ? "tool_calls"
          : "stop";
        await writeChunk(reply, sampled, first, isLast ? finish : null);
      }
    }
    const sampled = part.flatMap((it) => (it === paused ? [] : it.ids));
    await endAnswer(reply, ids.length, sampled.length);
  });
  const gateway = await startGateway({
    llm_routes: { policy: { base_url: engine.url, engine: "vllm", tokenizer, ...route } },
  });
  const order = async (verb: string, body: object): Promise<void> => {
    const answer = await gateway.post(`/v1/routes/policy/${verb}`, body);
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)]);
  };
  const pause = () => order("pause", { mode: "hold", engine: "abort" });
  const resume = (weight_version: string) => order("resume", { weight_version, engine: true });
  return {
    gateway,
    play: async (given, isResumed = true, found) => {
      await resumed;
      [parts, resumes, asked, calls, parsed] = [given, isResumed, [], found, []];
      aborted = Promise.withResolvers();
      sessions += 1;
      const session = `session-${sessions}`;
      await resume("step-1");
      const url = `${gateway.url}/v1/sessions/${session}`;
      return { url, asked, parsed, steps: () => gateway.steps(session), pause, resume };
    },
    close: async () => {
      await resumed;
      await gateway.close();
      await engine.close();
    },
  };
}
