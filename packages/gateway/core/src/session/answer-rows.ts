import type { Reference } from "@proj/model-apis";
import { readStorage } from "./read-storage.ts";
import { isServedConversation } from "./served-conversation.ts";
import type { ObjectStorage } from "./stored-objects.ts";

/** The row that a request continues. */
export interface Parent {
  /** Null: the request begins its conversation, or nobody knows what it continues. */
  readonly request_id: string | null;
  /** Something that the model is shown is in no row of the session. */
  readonly isPartial: boolean;
  /** Its caller asked the upstream not to keep the answer. */
  readonly isUnstored: boolean;
}

/** The least recently used ids of a session are forgotten. */
const maxIds = 4096;

/** Which rows of a session have the answers and conversations that requests may name. */
export class AnswerRows {
  readonly #storage: ObjectStorage;
  /** The `request_id` of the row with an answer, or with the last answer of a conversation. */
  readonly #rows = new Map<string, string>();
  /** Conversations that were made here without items, and have no answer yet. */
  readonly #empty = new Set<string>();
  /** Conversations whose items were changed by other requests since their last answer. */
  readonly #changed = new Set<string>();
  /** Answers that upstreams were asked not to keep. */
  readonly #unstored = new Set<string>();
  #recalled: Promise<void> | null = null;

  constructor(storage: ObjectStorage) {
    this.#storage = storage;
  }

  /** @throws GatewayError storage_unavailable */
  async parentOf({ by, id }: Reference): Promise<Parent> {
    if (id === null) return { request_id: null, isPartial: false, isUnstored: false };
    if (!this.#rows.has(id)) await this.#recallOnce();
    const request_id = this.#rows.get(id) ?? null;
    const isUnstored = this.#unstored.has(id);
    if (by !== "conversation") return { request_id, isPartial: request_id === null, isUnstored };
    const isKnown = request_id !== null || this.#empty.has(id);
    return { request_id, isPartial: !isKnown || this.#changed.has(id), isUnstored };
  }

  /** An answer has come whole. @param id of the answer, or of its conversation */
  answered(id: string, request_id: string, isUnstored: boolean = false): void {
    if (isUnstored) this.#unstored.add(id);
    keepLatest(this.#unstored);
    this.#rows.delete(id);
    this.#rows.set(id, request_id);
    this.#empty.delete(id);
    this.#changed.delete(id);
    keepLatest(this.#rows);
  }

  /** A conversation was made. */
  begun(conversation_id: string, isEmpty: boolean): void {
    if (!isEmpty) return;
    this.#empty.add(conversation_id);
    keepLatest(this.#empty);
  }

  /** Items of a conversation were added or removed outside of its answers. */
  changed(conversation_id: string): void {
    this.#changed.add(conversation_id);
    keepLatest(this.#changed);
  }

  async #recallOnce(): Promise<void> {
    this.#recalled ??= this.#recall(this.#storage);
    await this.#recalled;
  }

  async #recall({ store, session_id }: ObjectStorage): Promise<void> {
    try {
      const known = [...this.#rows];
      for (const { conversation_id } of await readStorage(store.readConversations(session_id)))
        if (isServedConversation(conversation_id)) this.#empty.add(conversation_id);
      for (const row of await readStorage(store.readResponses(session_id))) {
        this.#rows.set(row.response_id, row.request_id);
        if (!row.is_stored) this.#unstored.add(row.response_id);
        if (row.conversation_id !== null) this.#rows.set(row.conversation_id, row.request_id);
      }
      // What was answered since is newer.
      for (const [id, request_id] of known) this.#rows.set(id, request_id);
      keepLatest(this.#rows);
      keepLatest(this.#empty);
    } catch (error) {
      this.#recalled = null;
      throw error;
    }
  }
}

function keepLatest(ids: Map<string, unknown> | Set<string>): void {
  for (const oldest of ids.keys()) {
    if (ids.size <= maxIds) break;
    ids.delete(oldest);
  }
}
