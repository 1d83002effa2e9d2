import { admit } from "./admit.ts";
import { layOut } from "./lay-out.ts";
import { LedgerBook } from "./ledger-book.ts";
import type { Ledger } from "./records/ledger.ts";
import type { Sequence } from "./records/sequence.ts";
import type { Step } from "./records/step.ts";
import { type SideCallOptions, sideCallRule } from "./side-calls.ts";
import { type Call, lineOf, openCall } from "./tree/call.ts";
import { growTree, type LostStep } from "./tree/grow-tree.ts";
import { inOrder } from "./tree/in-order.ts";

export interface SequenceOptions extends SideCallOptions {
  /** How many trailing completion tokens the next prompt may omit, such as stop tokens. @default 1 */
  readonly trim?: number;
  /** Also make sequences of side calls. @default false: the ledger counts them as dropped */
  readonly keep_side_calls?: boolean;
  /** Begin a new sequence when the weights changed between two calls. @default false */
  readonly split_on_version?: boolean;
  /**
   * How to mark a branch that shares its first calls with an earlier sequence: `full` keeps the kind of each
   * token, `suffix` marks everything shared as its prompt. The tokens are the same. @default "full"
   */
  readonly fork?: "full" | "suffix";
  /** Ids from here on are not in the model's vocabulary. @default 2 ** 31 */
  readonly vocabulary_size?: number;
  /** Copied into every sequence. @default null */
  readonly rollout_id?: string | null;
}

/**
 * Joins the model calls of one session into sequences that can be trained on, and accounts for every token
 * that the model produced. Pure and deterministic: the order of the steps does not matter, nothing is
 * tokenized, and no token is invented.
 * @throws TypeError two steps have the same id
 */
export function sequences(
  steps: readonly Step[],
  options: SequenceOptions = {},
): { readonly sequences: readonly Sequence[]; readonly ledger: Ledger } {
  const { trim = 1, keep_side_calls = false, split_on_version = false } = options;
  const ordered = inOrder(steps);
  const book = new LedgerBook(ordered);
  const ruleOf = sideCallRule(ordered, options);
  const calls: Call[] = [];
  const lost: LostStep[] = [];
  for (const [at, step] of ordered.entries()) {
    const rule = ruleOf(step);
    if (rule !== null && !keep_side_calls) {
      book.drop(step.id, "side_call", rule);
      continue;
    }
    const tokens = admit(step, options.vocabulary_size ?? 2 ** 31);
    if (typeof tokens === "string") {
      lost.push({ step, at, line: lineOf(step, rule), loss: tokens });
      book.drop(step.id, tokens, tokens === "no_token_ids" ? (step.ids_missing ?? null) : null);
    } else {
      calls.push(openCall(step, at, tokens, rule));
    }
  }
  const tree = growTree(calls, lost, { trim, split_on_version });
  for (const [call, by] of tree.superseded) {
    book.drop(call.step.id, "superseded_retry", by.step.id);
  }
  const result = layOut(tree, book, options);
  return { sequences: result.sequences, ledger: book.close(result.sequences, result.extended) };
}
