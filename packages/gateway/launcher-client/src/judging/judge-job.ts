import { createHash } from "node:crypto";
import { sleep } from "@proj/http-client";
import { type JobStore, jobEnvironments, type Rubric, readJobScores } from "@proj/session-store";
import { BadJudgementError, readJudgements } from "@proj/session-store/answers";
import { type ChatMessage, chatInSession, leaveSession } from "../gateway/chat-in-session.ts";
import type { GatewayClient } from "../gateway/gateway-client.ts";
import { retryStore } from "../reward/store-retry.ts";
import { seededRandom, shuffled } from "../statistics/index.ts";
import { judgePrompt } from "./judge-prompt.ts";

export interface JudgeJobOptions {
  readonly store: JobStore;
  readonly gateway: GatewayClient;
  readonly job_id: string;
  readonly rubric: Rubric;
  /** The route that judges. */
  readonly llm_model: string;
  /** The key for a judge's own session. @default none */
  readonly llmApiKey?: ((session_id: string) => string | null) | undefined;
  /** How often each rollout is judged. @default 1 */
  readonly repetitions?: number | undefined;
  /** Draws the order of rollouts, criteria and values. @default 1 */
  readonly seed?: number | undefined;
  /** Judgements at once. @default 8 */
  readonly concurrency?: number | undefined;
  /** How often a judge that fails is asked. @default 3 */
  readonly attempts?: number | undefined;
  /** For one answer, in milliseconds. @default 600000 */
  readonly timeoutMs?: number | undefined;
  /** Before a judge that failed is asked again; doubles each time, up to a minute. @default 1000 */
  readonly retryMs?: number | undefined;
  readonly tell?: ((event: JudgeEvent) => void) | undefined;
}

/** What a run of judges reports. */
export interface JudgeEvent {
  readonly event: "rollout_judged" | "judge_retried" | "judge_failed";
  /** The rollout. */
  readonly session_id: string;
  readonly repetition: number;
  /** The session of the judge's own calls. */
  readonly judged_in: string;
  /** Null: it judged. */
  readonly error: string | null;
}

export interface JobJudgements {
  readonly judged: number;
  /** They had all scores before. */
  readonly known: number;
  readonly failed: number;
}

interface Task {
  readonly session_id: string;
  readonly repetition: number;
}

const maxPauseMs = 60_000;

/**
 * Has a model score the finished rollouts of a job, each in a session of its own. The scores of one answer are one
 * transaction, so a run that is killed loses none and, run again, asks only for those that are missing. Rewards stay as
 * they are.
 * @throws StoreUnavailableError; the signal's reason
 */
export async function judgeJob(
  options: JudgeJobOptions,
  signal: AbortSignal = new AbortController().signal,
): Promise<JobJudgements> {
  const { store, job_id, rubric, repetitions = 1, seed = 1, concurrency = 8 } = options;
  const author = authorOf(rubric);
  const known = new Set<string>();
  for await (const score of readJobScores(store, job_id))
    if (score.author === author) known.add(keyOf(score, score.name));
  const isKnown = (task: Task): boolean =>
    rubric.criteria.every(({ name }) => known.has(keyOf(task, name)));
  const tasks: Task[] = [];
  for await (const { session_id } of jobEnvironments(store, job_id, "finished"))
    for (let repetition = 1; repetition <= repetitions; repetition += 1)
      tasks.push({ session_id, repetition });
  const missing = tasks.filter((task) => !isKnown(task));
  const counts = { judged: 0, known: tasks.length - missing.length, failed: 0 };
  const waiting = shuffled(missing, seededRandom(seed)).values();
  const judgeOneByOne = async (): Promise<void> => {
    for (const task of waiting) {
      signal.throwIfAborted();
      counts[await judge(task, options, signal)] += 1;
    }
  };
  await Promise.all(Array.from({ length: concurrency }, judgeOneByOne));
  return counts;
}

export const authorOf = ({ name }: Rubric): string => `judge:${name}`;

const keyOf = ({ session_id, repetition }: Task, name: string): string =>
  JSON.stringify([session_id, repetition, name]);

async function judge(
  task: Task,
  options: JudgeJobOptions,
  signal: AbortSignal,
): Promise<"judged" | "failed"> {
  const { store, rubric, seed = 1, attempts = 3, retryMs = 1_000, tell = () => {} } = options;
  const { session_id, repetition } = task;
  const author = authorOf(rubric);
  const hash = createHash("sha256").update(JSON.stringify([session_id, author, repetition, seed]));
  const digest = hash.digest();
  const told = { session_id, repetition };
  const random = seededRandom(digest.readUInt32BE());
  const messages = await judgePrompt(store, session_id, rubric, random);
  for (let failures = 1; ; failures += 1) {
    // A session that a killed run left open, or that failed, is not continued: each has one answer.
    const judged_in = `judge-${digest.toString("hex").slice(0, 32)}-${Date.now().toString(36)}`;
    try {
      const judgements = readJudgements(await ask(judged_in, messages, options, signal), rubric);
      const scores = judgements.map((judgement) => ({
        ...{ session_id, author, repetition, judged_in, ...judgement },
      }));
      await retryStore(() => store.writeScores(scores), { timeoutMs: 300_000, signal });
      tell({ event: "rollout_judged", ...told, judged_in, error: null });
      return "judged";
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof BadJudgementError)) throw error;
      const isOver = failures >= attempts;
      const event = isOver ? "judge_failed" : "judge_retried";
      tell({ event, ...told, judged_in, error: error.message });
      if (isOver) return "failed";
      await sleep(Math.min(retryMs * 2 ** (failures - 1), maxPauseMs), signal);
    } finally {
      await leaveSession(options.gateway, judged_in, "judged");
    }
  }
}

/** @throws BadJudgementError there is no answer; the signal's reason */
async function ask(
  judged_in: string,
  messages: readonly ChatMessage[],
  { gateway, llm_model, llmApiKey = () => null, timeoutMs = 600_000 }: JudgeJobOptions,
  signal: AbortSignal,
): Promise<string> {
  const caller = { gateway, llmApiKey };
  try {
    return await chatInSession(caller, judged_in, { llm_model, messages, timeoutMs, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw new BadJudgementError(error instanceof Error ? error.message : String(error));
  }
}
