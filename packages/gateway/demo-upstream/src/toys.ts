import { isJsonObject, type JsonObject } from "@proj/model-apis/json";
import { invalidType, invalidValue, readStrings } from "./request-members.ts";

const drifts = ["none", "merge", "strip_thinking", "sort_arguments"] as const;

/**
 * Does on purpose what real engines do by accident: the member `demo` of a request, which a gateway's
 * route can set.
 */
export interface Toys {
  /**
   * How a template changes the model's text once it is in the history: `merge` cuts it into larger tokens,
   * `strip_thinking` drops reasoning, `sort_arguments` rewrites a call's arguments.
   */
  readonly drift: (typeof drifts)[number];
  /** The model reasons before it answers. */
  readonly thinking: boolean;
  /** The weights that produce an answer, each an equal part of it; empty: not reported. */
  readonly weight_versions: readonly string[];
  /** Trades in an arena with this seed; null: does not trade. */
  readonly trading: { readonly seed: number } | null;
}

const noToys: Toys = { drift: "none", thinking: false, weight_versions: [], trading: null };

/** @throws ApiError */
export function readToys({ demo }: JsonObject): Toys {
  if (demo === undefined || demo === null) return noToys;
  if (!isJsonObject(demo)) throw invalidValue("demo", "it must be an object");
  const drift = drifts.find((known) => known === (demo.drift ?? "none"));
  if (drift === undefined) throw invalidValue("demo.drift", `use ${drifts.join(", ")}`);
  const weight_versions = readStrings(demo, "weight_versions", 100);
  const trading = readTrading(demo.trading);
  return { drift, thinking: demo.thinking === true, weight_versions, trading };
}

function readTrading(trading: unknown): Toys["trading"] {
  if (trading === undefined || trading === null) return null;
  if (!isJsonObject(trading)) throw invalidValue("demo.trading", "it must be an object");
  const { seed } = trading;
  if (typeof seed !== "number") throw invalidType("demo.trading.seed", "a number");
  return { seed };
}
