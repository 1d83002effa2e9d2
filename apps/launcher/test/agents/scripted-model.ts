import {
  chatCompletion,
  chatStream,
  type FaultyUpstream,
  messageObject,
  messageStream,
  type RecordedRequest,
  type Reply,
  responseObject,
  responseStream,
  startFaultyUpstream,
} from "@proj/test-kit";

/** The model's behaviour in a session. */
export interface Script {
  /** Run in the agent's shell, one per turn; then the model answers. */
  readonly commands: readonly string[];
  /** Its answer, once the commands have been run. @default lastWord */
  readonly says?: string;
  /** Whether it keeps sending commands. */
  readonly isEndless?: boolean;
  /** HTTP status of the first answer. */
  readonly firstStatus?: number;
  /** Whether it gives a subagent some work first. */
  readonly delegates?: boolean;
  /** Whether it never answers. */
  readonly isSilent?: boolean;
  /** The number of commands after which its window is full, so that programs compact the conversation. */
  readonly fullAfter?: number;
}

/** A model that follows a test's script in each session, over any API. */
export interface ScriptedModel extends AsyncDisposable {
  readonly url: string;
  readonly requests: FaultyUpstream["requests"];
  /** Gives a session its script; other sessions have the script that the model was started with. */
  play(session_id: string, script: Script): void;
  /** The requests of a session. */
  asked(session_id: string): readonly RecordedRequest[];
}

export const lastWord = "All is done.";

/** Its summary of a conversation that is compacted. */
const recap = "So far, the first commands have been run.";

/** More tokens than Codex takes for the window of a model that it does not know, and nearly as many as Claude Code. */
const fullPrompt = 990_000;

export async function startScriptedModel(script: Script): Promise<ScriptedModel> {
  const scripts = new Map<string, Script>();
  const seen = new Set<string>();
  const upstream = await startFaultyUpstream((request, reply) => {
    if (request.path.endsWith("/count_tokens")) return void reply.json({ input_tokens: 7 });
    const session_id = sessionOf(request);
    const played = scripts.get(session_id) ?? script;
    // Some programs put blanks between its members.
    const body = JSON.stringify(request.json());
    // The route of side calls has this name.
    if (/"model":"aside"/.test(body)) return void say(request, reply, "A note.");
    if (played.isSilent) return;
    if (played.firstStatus !== undefined && !seen.has(session_id)) {
      seen.add(session_id);
      const error = { type: "rate_limit_error", message: "Try again." };
      const headers = { "retry-after": "0", "retry-after-ms": "1" };
      return void reply.json({ type: "error", error }, { status: played.firstStatus, headers });
    }
    // Claude Code wants the summary in this form, and otherwise asks again.
    const summary = `<analysis>It is short.</analysis>\n<summary>${recap}</summary>`;
    if (isCompaction(request)) return void say(request, reply, summary);
    const turn = turnOf(played, body);
    const id = `call_${session_id.slice(-8)}_${turn}`;
    const tool = (tools: readonly Tool[]) =>
      tools.find(({ name }) => body.includes(`"name":"${name}"`));
    if (isSubagent(request)) return void say(request, reply, lastWord);
    const delegate = played.delegates === true && turn === 0 ? tool(delegates) : undefined;
    if (delegate !== undefined) return void act(request, reply, delegate, assignment, id);
    // Codex continues after delegating: it has to be told to wait.
    const agent_id = turn === 1 ? /agent_id\W+([\w-]{36})/.exec(body)?.[1] : undefined;
    if (agent_id !== undefined) return void act(request, reply, waitAgent, agent_id, id);
    // Programs stop a model that repeats itself.
    const command = played.commands[turn] ?? (played.isEndless === true ? `true ${turn}` : null);
    const shell = tool(shells);
    if (command === null || shell === undefined)
      return void say(request, reply, played.says ?? lastWord);
    const tokens = turn + 1 === played.fullAfter ? fullPrompt : undefined;
    return void act(request, reply, shell, command, id, tokens);
  });
  return {
    url: upstream.url,
    requests: upstream.requests,
    play: (session_id, played) => void scripts.set(session_id, played),
    asked: (session_id) => upstream.requests.filter((request) => sessionOf(request) === session_id),
    [Symbol.asyncDispose]: () => upstream.close(),
  };
}

/** How many commands have been run. A compacted conversation may still have the latest of them. */
function turnOf({ commands, fullAfter = 0 }: Script, body: string): number {
  if (!body.includes(recap)) return [...body.matchAll(toolResult)].length;
  return Math.max(fullAfter, 1 + commands.findLastIndex((command) => body.includes(command)));
}

const sessionOf = ({ headers }: RecordedRequest): string => headers["x-session-id"] ?? "";

/** A tool of some program, with its parameters. */
interface Tool {
  readonly name: string;
  /** Codex's name for the tool's group. */
  readonly namespace?: string;
  readonly input: (text: string) => object;
}

const shells: readonly Tool[] = [
  { name: "exec_command", input: (cmd: string) => ({ cmd }) },
  { name: "run_shell_command", input: (command: string) => ({ command }) },
  { name: "Bash", input: (command: string) => ({ command, description: "as told" }) },
  { name: "bash", input: (command: string) => ({ command }) },
  { name: "run_commands", input: (command: string) => ({ commands: [command] }) },
  { name: "terminal", input: (command: string) => ({ command }) },
];

export const assignment = "Do the small part.";

const delegates: readonly Tool[] = [
  {
    name: "Agent",
    input: (prompt) => ({
      ...{ description: "a part", prompt, subagent_type: "general-purpose" },
      run_in_background: false,
    }),
  },
  { name: "spawn_agent", namespace: "multi_agent_v1", input: (message) => ({ message }) },
  {
    name: "task",
    input: (prompt) => ({ description: "a part", prompt, subagent_type: "general" }),
  },
];

const waitAgent: Tool = {
  name: "wait_agent",
  namespace: "multi_agent_v1",
  input: (agent_id) => ({ targets: [agent_id] }),
};

const isSubagent = ({ headers }: RecordedRequest): boolean =>
  headers["x-claude-code-agent-id"] !== undefined ||
  headers["x-parent-session-id"] !== undefined ||
  /"parent_thread_id":"/.test(headers["x-codex-turn-metadata"] ?? "");

/** Codex says so; of Claude Code's request only the end of the last message tells. */
const isCompaction = ({ headers, body }: RecordedRequest): boolean =>
  /"request_kind":"compaction"/.test(headers["x-codex-turn-metadata"] ?? "") ||
  body.includes("a detailed summary of the conversation");

/** A tool's result, in the form of any API. */
const toolResult =
  /"role":"tool"|"type":"function_call_output"|"type":"tool_result"|"functionResponse":/g;

function say(request: RecordedRequest, reply: Reply, text: string): Promise<boolean> {
  if (request.path.endsWith("/messages")) {
    const content = [{ type: "text" as const, text, citations: null }];
    return send(request, reply, messageObject({ content }), messageStream);
  }
  if (request.path.endsWith("/responses"))
    return send(request, reply, responseObject({ text }), responseStream);
  if (request.path.includes(":")) return sendContent(request, reply, { text });
  return send(request, reply, chatCompletion({ content: text }), chatStream);
}

/**
 * @param id of the call; unique, because programs tell calls apart by it
 * @param tokens of the prompt, as the model reports them
 */
function act(
  request: RecordedRequest,
  reply: Reply,
  { name, namespace, input }: Tool,
  text: string,
  id: string,
  tokens?: number,
): Promise<boolean> {
  const call = { name, arguments: JSON.stringify(input(text)), call_id: id };
  if (request.path.endsWith("/messages")) {
    const content = [{ type: "tool_use" as const, id, name, input: input(text) }];
    const message = messageObject({ content, stop_reason: "tool_use" });
    const usage = { ...message.usage, ...(tokens === undefined ? {} : { input_tokens: tokens }) };
    return send(request, reply, { ...message, usage }, messageStream);
  }
  if (request.path.endsWith("/responses")) {
    const response = responseObject({ function_calls: [call] });
    const output = response.output.map((item) => ({ ...item, namespace }));
    const used = tokens === undefined ? {} : { input_tokens: tokens, total_tokens: tokens + 5 };
    const usage = { ...response.usage, ...used };
    return send(request, reply, { ...response, output, usage }, responseStream);
  }
  if (request.path.includes(":"))
    return sendContent(request, reply, { functionCall: { id, name, args: input(text) } });
  return send(request, reply, chatCompletion({ tool_calls: [call] }), chatStream);
}

/** An answer of Google's API, whose paths say whether it streams. */
function sendContent({ path, order }: RecordedRequest, reply: Reply, part: object) {
  const answer = {
    candidates: [{ content: { parts: [part], role: "model" }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 5, totalTokenCount: 16 },
    modelVersion: "demo",
    responseId: `content_${order}`,
  };
  const streamed = `data: ${JSON.stringify(answer)}\n\n`;
  return path.includes(":stream") ? reply.events([Buffer.from(streamed)]) : reply.json(answer);
}

/**
 * With an id of its own, because Claude Code makes one message of two answers with the same id. As many token ids as
 * the prompt is long, but no prompt begins with another: each step begins a sequence and says why.
 */
function send<Answer extends { readonly id: string }>(
  { body, order }: RecordedRequest,
  reply: Reply,
  answer: Answer,
  stream: (answer: Answer) => readonly Buffer[],
): Promise<boolean> {
  const id = `${answer.id}_${order}`;
  const length = Array(Math.ceil(body.length / 100)).fill(1);
  const told = { ...answer, id, prompt_token_ids: [order, ...length], token_ids: [1] };
  const isStreamed = /"stream": ?true/.test(body.toString());
  return isStreamed ? reply.events(stream(told)) : reply.json(told);
}
