import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import {
  type ClientConnection,
  methods,
  RequestError,
  type StopReason,
} from "@agentclientprotocol/sdk";
import { sleep } from "@proj/http-client";
import { AnswerFailure } from "../answer/answer-failure.ts";
import type { CommandOutput } from "../child-process/command-output.ts";
import { type AcpClientParts, connectAgent, type Said } from "./acp-client.ts";
import type { AgentPlace } from "./agent-place.ts";
import { openCommand } from "./open-command.ts";
import { OwnFiles } from "./own-files.ts";
import type { SimulatedUser } from "./simulated-user.ts";
import { Terminals } from "./terminals.ts";

/** Why the agent's last turn ended. */
export type Ending = StopReason;

export interface Conversation extends Pick<AcpClientParts, "events" | "policy" | "ask"> {
  readonly prompt: string;
  readonly user: SimulatedUser;
  /** Takes what the agent prints beside the protocol. */
  readonly output: CommandOutput;
  /** Called with the agent's words after each turn. */
  readonly answered: (answer: string) => void;
  readonly graceMs?: number | undefined;
  readonly signal: AbortSignal;
}

const startMs = 120_000;
/** How long an agent may take to end its turn once that is cancelled. */
const cancelMs = 2_000;
const lastWordsMs = 1_000;
const defaultGraceMs = 5_000;
const authRequired = -32_000;

/**
 * Starts an agent and talks with it until its user has nothing more to say. An abort cancels the turn, and then ends
 * the agent and all that it started.
 * @throws AnswerFailure it could not be started, or ended before its answer; the signal's reason
 */
export async function converse(
  command: string,
  place: AgentPlace,
  { prompt, user, output, answered, graceMs = defaultGraceMs, signal, ...parts }: Conversation,
): Promise<Ending> {
  const over = new AbortController();
  const ending = AbortSignal.any([signal, over.signal]);
  const files = new OwnFiles(place, ending);
  const terminals = new Terminals(place, ending);
  const agent = await openCommand(await place.start(command, {}), place.llm_base_url, signal);
  agent.child.stderr.on("data", output.complained);
  const said: Said = { text: "" };
  const connection = connectAgent(agent, { ...parts, files, terminals }, said);
  try {
    const sessionId = await openSession(connection, place.cwd, signal);
    for (let text: string | null = prompt; ; ) {
      said.text = "";
      parts.events.turn(text);
      const stop: StopReason = await turn(connection, sessionId, text, signal);
      answered(said.text);
      signal.throwIfAborted();
      text = stop === "end_turn" ? await user.next(said.text, signal) : null;
      if (text === null) return stop;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof AnswerFailure) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    const hasEnded = connection.signal.aborted;
    if (hasEnded) await printed(agent.child.stderr, signal);
    const [kind, how] = hasEnded
      ? (["exited", "ended before its answer"] as const)
      : (["failed", "failed"] as const);
    throw new AnswerFailure(kind, `${how}: ${reason}`, null, { said: output.lastWords() });
  } finally {
    over.abort(new Error("the agent has ended"));
    await terminals.releaseAll();
    connection.close();
    await agent.end(graceMs);
  }
}

/** An agent's last words may come after the end of its answers; what it started may keep their pipe open. */
async function printed(stderr: Readable, signal: AbortSignal): Promise<void> {
  const bound = AbortSignal.any([signal, AbortSignal.timeout(lastWordsMs)]);
  await finished(stderr, { signal: bound }).catch(() => {});
}

async function openSession(
  { agent }: ClientConnection,
  cwd: string,
  signal: AbortSignal,
): Promise<string> {
  const cancellationSignal = AbortSignal.any([signal, AbortSignal.timeout(startMs)]);
  const { authMethods = [] } = await abortable(
    agent.request(methods.agent.initialize, {
      protocolVersion: 1,
      clientInfo: { name: "launcher", version: "1" },
      clientCapabilities: { fs: { readTextFile: true, writeTextFile: true }, terminal: true },
    }),
    cancellationSignal,
  );
  const open = () =>
    abortable(
      agent.request(methods.agent.session.new, { cwd, mcpServers: [] }),
      cancellationSignal,
    );
  const opened = await open().catch(async (error) => {
    const [method] = authMethods.filter((each) => !("type" in each));
    if (!(error instanceof RequestError) || error.code !== authRequired || method === undefined)
      throw error;
    // The recipe has given it what it needs: only the method has to be named.
    await abortable(
      agent.request(methods.agent.authenticate, { methodId: method.id }),
      cancellationSignal,
    );
    return open();
  });
  return opened.sessionId;
}

async function turn(
  { agent }: ClientConnection,
  sessionId: string,
  text: string,
  signal: AbortSignal,
): Promise<StopReason> {
  const asked = agent.request(methods.agent.session.prompt, {
    sessionId,
    prompt: [{ type: "text", text }],
  });
  try {
    return (await abortable(asked, signal)).stopReason;
  } catch (error) {
    if (!signal.aborted) throw error;
    await agent.notify(methods.agent.session.cancel, { sessionId }).catch(() => {});
    await Promise.race([asked.catch(() => {}), sleep(cancelMs)]);
    throw error;
  }
}

/** @throws the signal's reason, without waiting for the work */
async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", stop);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
    work.catch(() => {});
  }
}
