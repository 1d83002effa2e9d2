import { visible } from "../../text/visible.ts";

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

const titles: Readonly<Record<BranchKind, string>> = {
  main: "Main",
  fork: "Fork",
  subagent: "Subagent",
  side_call: "Side call",
  retried: "Retried",
  conversation: "Another conversation",
};

/** Several branches may have one name, such as two subagents of one kind: then they are numbered, as in their ids. */
export function titleOf({ id, kind, name }: Branch): string {
  const said = name === "" || name === kind ? titles[kind] : `${titles[kind]} ${visible(name)}`;
  const times = /-(\d+)$/.exec(
    id.slice(name === "" ? kind.length : kind.length + 1 + name.length),
  )?.[1];
  return times === undefined ? said : `${said} ${times}`;
}
