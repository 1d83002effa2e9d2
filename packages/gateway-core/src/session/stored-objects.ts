import type { StoredResponse } from "@proj/session-store";
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

/** Per session, or for all callers without one. The least recently made are forgotten. */
const mostObjects = 4096;

/** What upstreams store for their callers, by id. An object that a caller may ask for is found here. */
export class StoredObjects {
  readonly #byId = new Map<string, StoredObject>();

  readonly #readResponses: (() => Promise<readonly StoredResponse[]>) | null;
  #recalled: Promise<void> | null = null;

  /** The route of the latest object; null if there is none. */
  latestModel: string | null = null;

  /** @param readResponses reads the responses made earlier; null: none are stored */
  constructor(readResponses: (() => Promise<readonly StoredResponse[]>) | null) {
    this.#readResponses = readResponses;
  }

  /**
   * Looks in storage, once, for what is not known yet.
   * @throws GatewayError storage_unavailable
   */
  async find(id: string): Promise<StoredObject | null> {
    if (!this.#byId.has(id) && this.#readResponses !== null) {
      this.#recalled ??= this.#recall(this.#readResponses);
      await this.#recalled;
    }
    return this.#byId.get(id) ?? null;
  }

  async #recall(readResponses: () => Promise<readonly StoredResponse[]>): Promise<void> {
    try {
      const known = [...this.#byId];
      const { latestModel } = this;
      for (const response of await readStorage(readResponses())) {
        const { response_id, model, replica, request_id, step_id } = response;
        const meta_json = response.pending_meta_json;
        const pending = meta_json === null ? null : { request_id, step_id, meta_json };
        if (!this.#byId.has(response_id)) this.remember(response_id, { model, replica, pending });
      }
      // What was made since is newer.
      for (const [id, object] of known) if (this.#byId.has(id)) this.remember(id, object);
      this.latestModel = latestModel ?? this.latestModel;
    } catch (error) {
      this.#recalled = null;
      throw error;
    }
  }

  remember(id: string, object: StoredObject): void {
    this.latestModel = object.model;
    this.#byId.delete(id);
    this.#byId.set(id, object);
    const [oldest] = this.#byId.keys();
    if (this.#byId.size > mostObjects && oldest !== undefined) this.#byId.delete(oldest);
  }

  forget(id: string): void {
    this.#byId.delete(id);
  }
}
