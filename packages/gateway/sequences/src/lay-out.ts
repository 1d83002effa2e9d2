import type { LedgerBook } from "./ledger-book.ts";
import type { Sequence, Span, Split, Trim } from "./records/sequence.ts";
import type { Step, VersionSpan } from "./records/step.ts";
import type { Call } from "./tree/call.ts";
import { cutFinishes } from "./tree/explain-split.ts";
import type { CallTree } from "./tree/grow-tree.ts";

export interface LayoutOptions {
  readonly fork?: "full" | "suffix";
  readonly rollout_id?: string | null;
}

/** A call on the way from the beginning of a chain to its end. */
interface Link {
  readonly call: Call;
  /** Positions of its completion, as far as the next prompt repeats it. */
  readonly start: number;
  readonly end: number;
  /** An earlier sequence already has it: here it is context. */
  readonly is_shared: boolean;
}

export interface LaidOut {
  readonly sequences: readonly Sequence[];
  /** How many steps continue the one before in their sequence. */
  readonly extended: number;
}

/**
 * Makes a sequence from every chain of calls; a completion is trained on in the first sequence that has it.
 */
export function layOut(tree: CallTree, book: LedgerBook, options: LayoutOptions): LaidOut {
  const owners = new Map<Call, number>();
  let extended = 0;
  const sequences = tree.leaves.map((leaf, index) => {
    const links = linksTo(leaf, tree, owners);
    for (const { call, is_shared } of links) if (!is_shared) owners.set(call, index);
    const own = links.filter(({ is_shared }) => !is_shared);
    for (const { call, start, end } of own) {
      const { id, replayed_from = null } = call.step;
      if (replayed_from !== null) book.mask(id, "replayed", replayed_from);
      else book.deliver(id, end - start);
    }
    extended += own.length - 1;
    return layOutLinks(links, splitOf(links, tree, owners), parentOf(links, owners), options);
  });
  return { sequences, extended };
}

function linksTo(leaf: Call, tree: CallTree, owners: ReadonlyMap<Call, number>): Link[] {
  const links: Link[] = [];
  let trimmed = 0;
  for (let call: Call | undefined = leaf; call !== undefined; ) {
    const { tokens } = call;
    links.push({
      call,
      start: tokens.prompt.length,
      end: tokens.length - trimmed,
      is_shared: owners.has(call),
    });
    const found = tree.origins.get(call);
    trimmed = found?.trimmed ?? 0;
    call = found?.parent;
  }
  return links.reverse();
}

/**
 * Why a sequence begins at its first call, or at the first that no earlier sequence has. If that call is the one that
 * came first after the shared ones, the call of the earlier sequence has the reason.
 */
function splitOf(links: readonly Link[], tree: CallTree, owners: ReadonlyMap<Call, number>): Split {
  const at = links.findIndex(({ is_shared }) => !is_shared);
  const begins = links[at]?.call;
  const split = begins === undefined ? undefined : tree.splits.get(begins);
  if (split !== undefined) return split;
  const before = links[at - 1]?.call;
  for (const [call, { step, expected_ids, got_ids, ...why }] of tree.splits) {
    const isSibling = owners.has(call) && tree.origins.get(call)?.parent === before;
    if (begins === undefined || !isSibling) continue;
    const turned = { expected_ids: got_ids, got_ids: expected_ids };
    return { ...why, step: begins.step.id, compared_with: step, ...turned };
  }
  throw new Error("a chain of calls has no first call");
}

function parentOf(links: readonly Link[], owners: ReadonlyMap<Call, number>): Sequence["parent"] {
  const shared = links.findLast(({ is_shared }) => is_shared);
  const sequence = shared === undefined ? undefined : owners.get(shared.call);
  return shared === undefined || sequence === undefined ? null : { sequence, at: shared.end };
}

function layOutLinks(
  links: readonly Link[],
  split: Split,
  parent: Sequence["parent"],
  { fork = "full", rollout_id = null }: LayoutOptions,
): Sequence {
  const last = links.at(-1);
  if (last === undefined) throw new Error("a chain of calls has no last call");
  const { tokens, step, side_call } = last.call;
  const input_ids = new Int32Array(tokens.length);
  input_ids.set(tokens.prompt);
  input_ids.set(tokens.completion, tokens.prompt.length);
  const trained = links.filter(({ call, is_shared }) => !is_shared && !isReplayed(call.step));
  const loss_mask = new Uint8Array(tokens.length);
  for (const { start, end } of trained) loss_mask.fill(1, start, end);
  const shown = fork === "full" || trained.length === 0 ? links : trained;
  return {
    input_ids,
    loss_mask,
    logprobs: layOutLogprobs(trained, tokens.length),
    versions: links.flatMap(versionsOf),
    spans: spansOf(shown),
    trims: links.flatMap(trimsOf),
    agent: step.agent,
    side_call,
    split,
    parent,
    is_terminal: links.some(({ call }) => call.step.is_terminal === true),
    is_truncated:
      cutFinishes.has(step.finish_reason ?? "") ||
      links.some(({ call }) => call.step.is_truncated === true),
    rollout_id,
  };
}

/** Another session has it and trains on it: here it is context, like a completion of an earlier sequence. */
const isReplayed = ({ replayed_from = null }: Step): boolean => replayed_from !== null;

function layOutLogprobs(trained: readonly Link[], length: number): Float64Array | null {
  const all = new Float64Array(length);
  for (const { call, start, end } of trained) {
    const { logprobs } = call.step;
    if (logprobs === null) return null;
    for (let at = start; at < end; at += 1) all[at] = logprobs[at - start] ?? 0;
  }
  return all;
}

function spansOf(links: readonly Link[]): Span[] {
  let before = 0;
  return links.flatMap(({ call, start, end }, index) => {
    const kind = index === 0 ? "prompt" : "environment";
    const input: Span = { kind, step: call.step.id, start: before, end: start };
    const completion: Span = { kind: "completion", step: call.step.id, start, end };
    before = end;
    return input.start === input.end ? [completion] : [input, completion];
  });
}

function versionsOf({ call, start, end }: Link): VersionSpan[] {
  return (call.step.versions ?? []).flatMap((span) => {
    const moved = { ...span, start: start + span.start, end: Math.min(end, start + span.end) };
    return moved.start < moved.end ? [moved] : [];
  });
}

function trimsOf({ call: { step, tokens }, end }: Link): Trim[] {
  const ids = tokens.slice(end, tokens.length);
  return ids.length === 0 ? [] : [{ step: step.id, at: end, ids }];
}
