import type { BrowsableStore, SessionFork } from "@proj/session-store";
import { GatewayError } from "../errors/gateway-error.ts";
import { readStorage } from "../session/read-storage.ts";
import type { Session } from "../session/session.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { Replay } from "./replay.ts";

/** The replays of the sessions in memory. */
export class Replays {
  readonly #store: BrowsableStore;
  readonly #registry: SessionRegistry;
  readonly #replays = new WeakMap<Session, Replay>();

  constructor(store: BrowsableStore, registry: SessionRegistry) {
    this.#store = store;
    this.#registry = registry;
  }

  of(session: Session, fork: SessionFork): Replay {
    let replay = this.#replays.get(session);
    if (replay === undefined) {
      replay = new Replay(fork, this.#store);
      this.#replays.set(session, replay);
    }
    return replay;
  }

  /**
   * In a replay, which must not ask a model, refuses calls that leave no row and so are never in a record.
   * @throws GatewayError replay_diverged, storage_unavailable
   */
  async checkUnrecorded(session_id: string): Promise<void> {
    const session = this.#registry.findRestored(session_id);
    const fork =
      session === null ? await readStorage(this.#store.readFork(session_id)) : session.fork;
    if (fork?.mode !== "replay") return;
    throw new GatewayError(
      "replay_diverged",
      `Requests of this kind are not recorded, and a replay of session '${fork.from_session_id}' never asks a model.`,
    );
  }
}
