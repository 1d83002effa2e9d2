import type { StoredRow } from "@proj/session-store";
import { factsOf } from "../step-facts.ts";
import type { Branch, BranchKind } from "./branch.ts";
import { type Lineage, lineagesOf } from "./histories.ts";

/**
 * The branches of a session. Agents are told apart by how they identify themselves, and the stored histories
 * say which call continues which; nothing is guessed.
 * @returns the branches that leave no other, in the order of their first calls
 */
export function growBranches(rows: readonly StoredRow[]): readonly Branch[] {
  const { lineages, retried } = lineagesOf(rows);
  const lanes = rows.map(laneOf);
  const grower = new Grower(rows, lanes, lineages);
  for (const at of rows.keys()) grower.add(at, retried.has(at));
  return grower.roots;
}

/** Calls in different lanes are never in one branch. */
function laneOf(row: StoredRow): string {
  const { agent_id, side_call } = factsOf(row);
  if (side_call !== null) return `side ${agent_id ?? ""} ${side_call}`;
  return agent_id === null ? "main" : `agent ${agent_id}`;
}

class Grower {
  readonly roots: Branch[] = [];
  readonly #rows: readonly StoredRow[];
  readonly #lanes: readonly string[];
  readonly #lineages: readonly Lineage[];
  /** Calls that another one continues without a change. */
  readonly #continued: ReadonlySet<number>;
  readonly #branches: Branch[] = [];
  readonly #latestOfLane = new Map<string, Branch>();
  readonly #names = new Map<string, number>();
  /** Of each agent, whether its latest call made a summary that the next may begin with. */
  readonly #compacted = new Map<string | null, boolean>();

  constructor(rows: readonly StoredRow[], lanes: readonly string[], lineages: readonly Lineage[]) {
    this.#rows = rows;
    this.#lanes = lanes;
    this.#lineages = lineages;
    this.#continued = new Set(
      lineages.flatMap(({ predecessor, rewrites }, at) =>
        rewrites < 0 && lanes[at] === lanes[predecessor] ? [predecessor] : [],
      ),
    );
  }

  add(at: number, isRetried: boolean): void {
    const lane = this.#lanes[at] ?? "main";
    const { predecessor, rewrites } = this.#lineages[at] ?? { predecessor: -1, rewrites: -1 };
    const known = this.#branches[predecessor];
    if (isRetried) {
      const from = known ?? this.#latestOfLane.get(lane) ?? null;
      this.#begin(at, "retried", "", from, predecessor);
      return;
    }
    const latest = this.#latestOfLane.get(lane);
    if (
      this.#followsCompaction(at) &&
      latest !== undefined &&
      latest.calls.at(-1) !== predecessor
    ) {
      this.#append(at, lane, latest);
      return;
    }
    const edited = this.#branches[rewrites];
    const isEdit = !this.#continued.has(rewrites) && this.#lanes[rewrites] === lane;
    if (isEdit && edited?.calls.at(-1) === rewrites) this.#append(at, lane, edited);
    else if (known !== undefined && this.#lanes[predecessor] === lane) {
      if (known.calls.at(-1) === predecessor) this.#append(at, lane, known);
      else this.#latestOfLane.set(lane, this.#begin(at, "fork", "", known, predecessor));
    } else this.#latestOfLane.set(lane, this.#beginLane(at, lane));
  }

  /** Whether the agent's call before was a compaction, after which its history is another one. */
  #followsCompaction(at: number): boolean {
    const row = this.#rows[at];
    if (row === undefined) return false;
    const { agent_id, is_compaction, side_call } = factsOf(row);
    if (side_call !== null && !is_compaction) return false;
    const follows = this.#compacted.get(agent_id) === true && !is_compaction;
    this.#compacted.set(agent_id, is_compaction);
    return follows;
  }

  /** A call that continues none of its lane. */
  #beginLane(at: number, lane: string): Branch {
    const row = this.#rows[at];
    const facts = row === undefined ? null : factsOf(row);
    const same = this.#latestOfLane.get(lane);
    if (facts === null || lane === "main")
      return this.#begin(at, same === undefined ? "main" : "conversation", "", null, -1);
    if (same !== undefined) return this.#append(at, lane, same);
    if (facts.side_call === null && facts.agent_parent === null && this.roots.length === 0) {
      const main = this.#begin(at, "main", facts.agent ?? "", null, -1);
      this.#latestOfLane.set("main", main);
      return main;
    }
    const caller = facts.side_call === null ? facts.agent_parent : facts.agent_id;
    const from =
      this.#latestOfLane.get(`agent ${caller}`) ?? this.#latestOfLane.get("main") ?? null;
    const kind = facts.side_call === null ? "subagent" : "side_call";
    const name = facts.side_call ?? facts.agent ?? "";
    return this.#begin(at, kind, name, from, from?.calls.at(-1) ?? -1);
  }

  #begin(at: number, kind: BranchKind, name: string, parent: Branch | null, after: number): Branch {
    const text = name === "" ? kind : `${kind}-${name}`;
    const times = (this.#names.get(text) ?? 0) + 1;
    this.#names.set(text, times);
    const id = times === 1 ? text : `${text}-${times}`;
    const branch: Branch = { id, kind, name, calls: [at], parent, after, children: [] };
    (parent?.children ?? this.roots).push(branch);
    this.#branches[at] = branch;
    return branch;
  }

  #append(at: number, lane: string, branch: Branch): Branch {
    branch.calls.push(at);
    this.#branches[at] = branch;
    this.#latestOfLane.set(lane, branch);
    return branch;
  }
}
