/** Where an object is that an upstream keeps, such as a response or a conversation. */
export interface StoredObject {
  /** The route by which it was made, and its replica. */
  readonly model: string;
  readonly replica: string | null;
  /** The step whose answer it will be; null: it is there already, or belongs to no step. */
  pending: PendingStep | null;
}

/** A step whose answer is made in the background. */
export interface PendingStep {
  readonly request_id: string;
  readonly step_id: number;
  readonly meta_json: string;
}

/** Of a session, or of all callers without one. The least recently made are forgotten. */
const mostObjects = 4096;

/** What upstreams keep for their callers, by id. A caller that may ask for an object finds it here. */
export class StoredObjects {
  readonly #byId = new Map<string, StoredObject>();

  /** The route of the latest object; null: there is none. */
  latestModel: string | null = null;

  find(id: string): StoredObject | null {
    return this.#byId.get(id) ?? null;
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
