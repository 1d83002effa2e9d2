import {
  type ChatMessage,
  type ChatRequest,
  type ChatTranslation,
  endpoints,
} from "@proj/model-apis";
import { isJsonObject, type JsonObject, objectOf, parsedObject } from "@proj/model-apis/json";
import { readEngineRecord } from "@proj/model-apis/tokens";
import type { SessionStore, StoredStep } from "@proj/session-store";
import type { Continuity, Turn } from "../prompts/index.ts";
import { readStorage } from "../session/read-storage.ts";

const rowsPerRead = 100;

/** A request as the engine got it. */
export type AsEngineGets = (asked: ChatRequest) => ChatRequest;

/**
 * Reads a session's turns back from its rows: after a restart, on another gateway, or where a record answered the
 * first calls of a fork. A row that cannot be continued is passed over.
 * @throws GatewayError storage_unavailable
 */
export async function loadTurns(
  store: Pick<SessionStore, "readSteps">,
  session_id: string,
  model: string,
  turns: Continuity,
  asEngineGets: AsEngineGets,
): Promise<void> {
  const known = new Map<string, Turn>();
  for (let after: number | null = 0; after !== null; ) {
    const page: { readonly steps: readonly StoredStep[]; readonly next_after: number | null } =
      await readStorage(store.readSteps({ session_id, after, limit: rowsPerRead }));
    for (const row of page.steps) if (row.model === model) restore(row, turns, known, asEngineGets);
    after = page.next_after;
  }
}

function restore(
  row: StoredStep,
  turns: Continuity,
  known: Map<string, Turn>,
  asEngineGets: AsEngineGets,
): void {
  const response = parsedObject(row.response);
  const record = readEngineRecord(response);
  const { endpoint: name, request_id, replayed_from, agent } = parsedObject(row.meta_json);
  const { chat, history } = endpoints.find((endpoint) => endpoint.name === name) ?? {};
  if (record === null || chat == null || history == null || typeof request_id !== "string") return;
  const { continues, ids } = record.prompt;
  const parent = continues === null ? null : known.get(continues);
  const read = attempt(() => readTurn(row, chat, history, response));
  if (parent === undefined || read === null) return;
  const turn = turns.restore({
    request_id,
    ...read,
    request: asEngineGets(read.request),
    agent: isJsonObject(agent) && typeof agent.id === "string" ? agent.id : null,
    parent,
    added: Int32Array.from(ids),
    sampled: Int32Array.from(record.token_ids),
    cut: record.cut,
  });
  known.set(request_id, turn);
  const { request_id: original } = objectOf(replayed_from);
  if (typeof original === "string") known.set(original, turn);
}

function readTurn(row: StoredStep, chat: ChatTranslation, history: string, response: JsonObject) {
  const request = chat.read({
    ...parsedObject(row.request),
    [history]: JSON.parse(row.messages ?? "[]"),
  });
  const { messages } = chat.read({ [history]: chat.givenBack(response) });
  const answer: ChatMessage = messages.at(-1) ?? { role: "assistant", content: "" };
  return { request, answer };
}

function attempt<Made>(make: () => Made): Made | null {
  try {
    return make();
  } catch {
    return null;
  }
}
