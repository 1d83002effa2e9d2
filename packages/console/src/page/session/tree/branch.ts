/**
 * `fork`: goes on from a step that another branch goes on from as well. `retried`: an attempt that a later
 * step repeats. `conversation`: it repeats nothing of what came before.
 */
export type BranchKind = "main" | "fork" | "subagent" | "side_call" | "retried" | "conversation";

/** A line of calls, each going on from the one before. */
export interface Branch {
  /** Unique in its session, and the same while the session grows. */
  readonly id: string;
  readonly kind: BranchKind;
  /** The agent, or the rule of a side call; empty where the kind says it all. */
  readonly name: string;
  /** Positions of its calls among the session's rows. */
  readonly calls: number[];
  /** Null: it leaves no other. */
  readonly parent: Branch | null;
  /** Position of the call of `parent` behind which it begins; -1: before all of them. */
  readonly after: number;
  readonly children: Branch[];
}

/** The calls that lead to the end of a branch, those of its parents included. */
export function lineOf(branch: Branch): number[] {
  const parts = [branch.calls];
  // What a subagent or a side call was told is in its own calls.
  let { parent, after, kind } = branch;
  while (parent !== null && (kind === "fork" || kind === "retried")) {
    const last = after;
    parts.unshift(parent.calls.filter((call) => call <= last));
    ({ parent, after, kind } = parent);
  }
  return parts.flat();
}

/** All branches below these, each behind its parent. */
export const withChildren = (branches: readonly Branch[]): Branch[] =>
  branches.flatMap((branch) => [branch, ...withChildren(branch.children)]);
