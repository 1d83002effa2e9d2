import { Readable, Writable } from "node:stream";
import {
  type AnyMessage,
  type ClientConnection,
  client,
  methods,
  ndJsonStream,
  RequestError,
} from "@agentclientprotocol/sdk";
import type { AgentEvents } from "./agent-events.ts";
import type { OpenCommand } from "./open-command.ts";
import type { OwnFiles } from "./own-files.ts";
import {
  type PermissionPolicy,
  type PermissionRule,
  permissionAnswer,
  ruleFor,
} from "./permission-policy.ts";
import { readUpdate, type SessionUpdate } from "./session-update.ts";
import type { Terminals } from "./terminals.ts";

export interface AcpClientParts {
  readonly events: AgentEvents;
  readonly files: OwnFiles;
  readonly terminals: Terminals;
  readonly policy: PermissionPolicy;
  /** Asks the evaluator whether the agent may; null: there is none that can be asked. */
  readonly ask: ((about: object) => Promise<boolean>) | null;
}

const maxMessageBytes = 16 * 1024 * 1024;
/** Of the agent's words in one turn, in characters; the end counts. */
const maxAnswer = 64 * 1024;

/** What the agent has said in its present turn. */
export interface Said {
  text: string;
}

/** Answers an agent's requests, and keeps what it tells. */
export function connectAgent(
  { child }: OpenCommand,
  { events, files, terminals, policy, ask }: AcpClientParts,
  said: Said,
): ClientConnection {
  const { session, fs, terminal } = methods.client;
  const decide = async (rule: PermissionRule, about: object): Promise<boolean> =>
    rule === "ask" ? ((await ask?.(about)) ?? false) : rule === "allow";
  const take = (update: SessionUpdate | null): void => {
    switch (update?.sessionUpdate) {
      case "agent_message_chunk":
        said.text = `${said.text}${update.content.text ?? ""}`.slice(-maxAnswer);
        break;
      case "tool_call":
      case "tool_call_update":
        events.tool(update, update.sessionUpdate === "tool_call");
        break;
      case "plan":
        events.plan(update.entries);
        break;
    }
  };
  const { writable, readable } = ndJsonStream(
    Writable.toWeb(child.stdin),
    Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    { maxMessageBytes },
  );
  // The SDK reports updates of forms that it does not know to the launcher's terminal: it gets none.
  const rest = new TransformStream<AnyMessage, AnyMessage>({
    transform: (message, controller) => {
      if ("method" in message && message.method === session.update)
        take(readUpdate(message.params));
      else controller.enqueue(message);
    },
  });
  return client({ name: "launcher" })
    .onRequest(session.requestPermission, async ({ params }) => {
      const { toolCall } = params;
      events.tool({ ...toolCall, content: null }, false);
      const rule = ruleFor(policy, toolCall);
      const isAllowed = await decide(rule, toolCall);
      events.permission(toolCall.toolCallId, toolCall.title ?? "", {
        decision: isAllowed ? "allow" : "deny",
        by: rule === "ask" ? "evaluator" : "policy",
      });
      return permissionAnswer(params, isAllowed);
    })
    .onRequest(fs.readTextFile, async ({ params: { path, line = null, limit = null } }) => ({
      content: await told(files.read(path, line, limit)),
    }))
    .onRequest(fs.writeTextFile, async ({ params: { path, content } }) => {
      await told(files.write(path, content));
      return {};
    })
    .onRequest(terminal.create, async ({ params }) => ({
      terminalId: await told(terminals.create(params)),
    }))
    .onRequest(terminal.output, ({ params }) => terminals.output(params.terminalId))
    .onRequest(terminal.waitForExit, ({ params }) => terminals.exit(params.terminalId))
    .onRequest(terminal.kill, async ({ params }) => {
      await terminals.kill(params.terminalId);
      return {};
    })
    .onRequest(terminal.release, async ({ params }) => {
      await terminals.release(params.terminalId);
      return {};
    })
    .connect({ writable, readable: readable.pipeThrough(rest) });
}

/** Refusals are for the agent to read, which otherwise learns only of an internal error. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw RequestError.invalidParams(
      undefined,
      error instanceof Error ? error.message : String(error),
    );
  }
}
