import { hashText, rendezvousScore } from "./rendezvous.ts";
import type { Replica } from "./replica.ts";

/** Chooses a route's replica for each attempt. */
export class ReplicaChoice {
  readonly #replicas: readonly [Replica, ...Replica[]];
  #turn = 0;

  constructor(replicas: readonly [Replica, ...Replica[]]) {
    this.#replicas = replicas;
  }

  /**
   * A session goes to the first replica in its own order (rendezvous hashing), other calls to the replica
   * with the fewest requests. Replicas that are ejected, that the call has already tried, or whose limits hold
   * requests are the last resort.
   * @param sessionId null for a call without a session
   */
  choose(sessionId: string | null, tried: ReadonlySet<Replica>): Replica {
    const [only, second] = this.#replicas;
    if (second === undefined) return only;
    const all = this.#replicas;
    const healthy = preferred(all, ({ health }) => health.available);
    const untried = preferred(healthy, (replica) => !tried.has(replica));
    const rest = preferred(untried, ({ limits }) => !limits.isHeld);
    return (sessionId === null ? this.#leastBusy(rest) : firstFor(sessionId, rest)) ?? only;
  }

  #leastBusy(replicas: readonly Replica[]): Replica | undefined {
    // Equally busy replicas take turns.
    this.#turn = (this.#turn + 1) % replicas.length;
    let best = replicas[this.#turn];
    for (const replica of replicas) {
      if (best === undefined || replica.inFlight < best.inFlight) best = replica;
    }
    return best;
  }
}

/** Those that are as wanted; all, if none is. */
function preferred(
  replicas: readonly Replica[],
  isWanted: (replica: Replica) => boolean,
): readonly Replica[] {
  const wanted = replicas.filter(isWanted);
  return wanted.length > 0 ? wanted : replicas;
}

function firstFor(sessionId: string, replicas: readonly Replica[]): Replica | undefined {
  const hash = hashText(sessionId);
  let best: Replica | undefined;
  let highest = -1;
  for (const replica of replicas) {
    const score = rendezvousScore(hash, replica.hash);
    if (score <= highest) continue;
    best = replica;
    highest = score;
  }
  return best;
}
