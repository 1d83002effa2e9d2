import { tiersOf } from "../facts/token-counts.ts";
import type { JsonObject } from "../json/json-object.ts";
import { JsonScanner } from "../json/json-scanner.ts";
import { decodeString } from "../json/json-string.ts";
import type { RequestBody } from "./request-body.ts";
import { foldCase } from "./splice-body.ts";

/** How much a request may be answered with, as far as it says. */
export interface AnswerBounds {
  /** Of one answer; null: the request names no maximum. */
  readonly tokens: number | null;
  /** How many answers it asks for, at least 1. */
  readonly answers: number;
  /** The tiers of speed and service that its price depends on. */
  readonly tiers: readonly string[];
}

/** Names in any API, or of usual model servers, folded. Of several the largest counts: upstreams differ. */
const ofTokens: ReadonlySet<string> = new Set([
  ...["max_tokens", "max_completion_tokens", "max_output_tokens", "maxoutputtokens"],
  ...["max_new_tokens", "max_tokens_to_sample", "n_predict", "num_predict"],
]);
const ofAnswers: ReadonlySet<string> = new Set([
  "n",
  "best_of",
  "candidatecount",
  "candidate_count",
]);
const ofTiers: ReadonlySet<string> = new Set(["speed", "service_tier"]);
/** Gemini's place for them. */
const places: ReadonlySet<string> = new Set(["generationconfig", "generation_config"]);
/** A longer answer does not exist. They keep sums exact. */
const maxTokens = 100_000_000;
const maxAnswers = 4_096;
/** A longer value is not a count or a name. */
const maxValueBytes = 256;

/**
 * Reads every member with such a name, however large the body and however often or in whatever case it is repeated.
 * @param set members that the route sets in the caller's place
 */
export function readAnswerBounds(body: RequestBody, set: JsonObject): AnswerBounds {
  const bounds = new Bounds();
  const replaced = new Set(Object.keys(set).map(foldCase));
  const scanner = new JsonScanner(body.bytes);
  let prompts = 1;
  for (const name of membersOf(scanner)) {
    if (scanner.at === body.messages_start) {
      if (name === "prompt" && !replaced.has(name)) prompts = countPrompts(scanner);
      else scanner.at = body.messages_end;
    } else if (replaced.has(name)) scanner.skipValue();
    else if (places.has(name) && scanner.kind === "object")
      for (const inner of membersOf(scanner)) bounds.add(inner, smallValue(scanner));
    else bounds.add(name, smallValue(scanner));
  }
  bounds.addAll(set);
  const answers = Math.min(bounds.answers * prompts, maxAnswers);
  return { tokens: bounds.tokens, answers, tiers: bounds.tiers };
}

class Bounds {
  tokens: number | null = null;
  answers = 1;
  readonly tiers: string[] = [];

  add(name: string, value: unknown): void {
    if (ofTiers.has(name)) this.tiers.push(...tiersOf(value));
    const isTokens = ofTokens.has(name);
    if (!isTokens && !ofAnswers.has(name)) return;
    // Some servers take a count in quotes, or with decimals.
    const count = Number(value);
    if (!(count > 0)) return;
    const whole = Math.ceil(Math.min(count, isTokens ? maxTokens : maxAnswers));
    if (isTokens) this.tokens = Math.max(this.tokens ?? 0, whole);
    else this.answers = Math.max(this.answers, whole);
  }

  addAll(members: JsonObject): void {
    for (const [written, value] of Object.entries(members)) {
      const name = foldCase(written);
      if (!places.has(name)) this.add(name, value);
      else for (const [inner, one] of Object.entries(Object(value))) this.add(foldCase(inner), one);
    }
  }
}

/** The folded name of each member of the object that is due; its value is due at each. */
function* membersOf(scanner: JsonScanner): Generator<string> {
  for (let more = scanner.enterObject(); more; more = scanner.nextMember())
    yield foldCase(decodeString(scanner.bytes, scanner.keyStart, scanner.keyEnd) ?? "");
}

/** The value that is due, which is skipped, as its text without quotes; null if it is long. */
function smallValue(scanner: JsonScanner): string | null {
  const { at, bytes, kind } = scanner;
  scanner.skipValue();
  if (scanner.at - at > maxValueBytes) return null;
  if (kind === "string") return decodeString(bytes, at + 1, scanner.at - 1);
  return bytes.toString("latin1", at, scanner.at);
}

/** A list of texts, or of lists of token ids, has an answer for each. */
function countPrompts(scanner: JsonScanner): number {
  const isList = scanner.kind === "array";
  if (!isList) scanner.skipValue();
  let prompts = 0;
  for (let more = isList && scanner.enterArray(); more; more = scanner.nextElement()) {
    prompts += Number(scanner.kind !== "number");
    scanner.skipValue();
  }
  return Math.max(prompts, 1);
}
