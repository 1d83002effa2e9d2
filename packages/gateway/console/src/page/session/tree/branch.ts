/**
 * `fork`: continues from a step that another branch continues from as well. `retried`: an attempt that a later
 * step repeats. `conversation`: repeats nothing that came before.
 */
export type BranchKind = "main" | "fork" | "subagent" | "side_call" | "retried" | "conversation";

/** A line of calls, each continuing the one before. */
export interface Branch {
  /** Unique in its session, and stable while the session grows. */
  readonly id: string;
  readonly kind: BranchKind;
  /** The agent, or the rule of a side call; empty if the kind says it all. */
  readonly name: string;
  /** The positions of its calls among the session's rows. */
  readonly calls: number[];
  /** The branch that it leaves; null: none. */
  readonly parent: Branch | null;
  /** Position of the call of `parent` after which it begins; -1: before all of them. */
  readonly after: number;
  readonly children: Branch[];
}

/** The calls that lead to the end of a branch, including its parents'. */
export function lineOf(branch: Branch): number[] {
  const parts = [branch.calls];
  // A subagent and a side call start a history of their own.
  let { parent, after, kind } = branch;
  while (parent !== null && (kind === "fork" || kind === "retried")) {
    const last = after;
    parts.unshift(parent.calls.filter((call) => call <= last));
    ({ parent, after, kind } = parent);
  }
  return parts.flat();
}

/** These branches and all below them, each after its parent. */
export const withChildren = (branches: readonly Branch[]): Branch[] =>
  branches.flatMap((branch) => [branch, ...withChildren(branch.children)]);
