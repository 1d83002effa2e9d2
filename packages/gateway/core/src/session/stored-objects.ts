import type { SessionStore, StoredConversation } from "@proj/session-store";
import { readStorage } from "./read-storage.ts";

/** Where an object is that an upstream stores, such as a response or a conversation. */
export interface StoredObject {
  /** The route that made it, and its replica. */
  readonly model: string;
  readonly replica: string | null;
  /** The step that it will answer; null if it is already there or belongs to no step. */
  pending: PendingStep | null;
}

/** A step whose answer is made in the background. */
export interface PendingStep {
  readonly request_id: string;
  readonly step_id: number;
  readonly meta_json: string;
}

/** Of one session, or of all callers without one. The least recently made are forgotten. */
const maxObjects = 4096;

/** Where to look up what was made before the session was loaded. */
export interface ObjectStorage {
  readonly store: Pick<SessionStore, "readResponses" | "readConversations" | "keepConversation">;
  readonly session_id: string;
}

/** What upstreams store for one session's callers, or for all without a session, by id. */
export class StoredObjects {
  readonly #byId = new Map<string, StoredObject>();
  readonly #storage: ObjectStorage | null;
  #recalled: Promise<void> | null = null;
  #latestModel: string | null = null;

  /** @param storage null: nothing made earlier is known */
  constructor(storage: ObjectStorage | null) {
    this.#storage = storage;
  }

  /**
   * The route of the latest object; null if there is none.
   * @throws GatewayError storage_unavailable
   */
  async latestModel(): Promise<string | null> {
    if (this.#latestModel === null) await this.#recallOnce();
    return this.#latestModel;
  }

  /**
   * Looks in storage, once, if the object is not known.
   * @throws GatewayError storage_unavailable
   */
  async find(id: string): Promise<StoredObject | null> {
    if (!this.#byId.has(id)) await this.#recallOnce();
    return this.#byId.get(id) ?? null;
  }

  async #recallOnce(): Promise<void> {
    if (this.#storage === null) return;
    this.#recalled ??= this.#recall(this.#storage);
    await this.#recalled;
  }

  async #recall({ store, session_id }: ObjectStorage): Promise<void> {
    try {
      const [conversations, responses] = await readStorage(
        Promise.all([store.readConversations(session_id), store.readResponses(session_id)]),
      );
      const known = [...this.#byId];
      // Messages are kept for threads, and cannot be asked for by their id.
      const objects = responses.filter(({ endpoint }) => endpoint !== "messages");
      const latestModel = this.#latestModel;
      for (const { response_id, model, replica, request_id, step_id, ...rest } of objects) {
        const meta_json = rest.pending_meta_json;
        const pending = meta_json === null ? null : { request_id, step_id, meta_json };
        if (!this.#byId.has(response_id)) this.remember(response_id, { model, replica, pending });
      }
      for (const { conversation_id, model, replica } of conversations)
        if (!this.#byId.has(conversation_id))
          this.remember(conversation_id, { model, replica, pending: null });
      // What was made since is newer.
      for (const [id, object] of known) if (this.#byId.has(id)) this.remember(id, object);
      this.#latestModel =
        latestModel ?? objects.at(-1)?.model ?? conversations.at(-1)?.model ?? null;
    } catch (error) {
      this.#recalled = null;
      throw error;
    }
  }

  /** Remembers a conversation, also after a restart. @throws what storage throws */
  async keepConversation({ conversation_id, ...place }: StoredConversation): Promise<void> {
    this.remember(conversation_id, { ...place, pending: null });
    const { store, session_id } = this.#storage ?? {};
    if (session_id !== undefined)
      await store?.keepConversation(session_id, { conversation_id, ...place });
  }

  remember(id: string, object: StoredObject): void {
    this.#latestModel = object.model;
    this.#byId.delete(id);
    this.#byId.set(id, object);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > maxObjects && oldest !== undefined) this.#byId.delete(oldest);
  }

  forget(id: string): void {
    this.#byId.delete(id);
  }
}
