import {
  type ObjectFacts,
  readMember,
  readString,
  skipContent,
  skipError,
  whyNoAnswer,
} from "../facts/object-facts.ts";
import { takeUsage } from "../facts/read-usage.ts";
import type { JsonObject } from "../json/json-object.ts";
import type { JsonScanner } from "../json/json-scanner.ts";
import { contentCounts, searchesIn } from "./content-usage.ts";

interface Candidate {
  readonly reason: string | null;
  readonly content: boolean;
  readonly searches: Readonly<Record<string, number>>;
}

/** Reads an answer with `candidates`. One whose prompt was blocked has none, and says why. */
export function readContentFacts(scanner: JsonScanner, facts: ObjectFacts): void {
  let error = false;
  let candidates: readonly Candidate[] = [];
  let blocked: string | null = null;
  let usage: JsonObject = {};
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("candidates") && scanner.kind === "array")
      candidates = readCandidates(scanner);
    else if (scanner.keyEquals("usageMetadata")) usage = takeUsage(scanner) ?? {};
    else if (scanner.keyEquals("modelVersion")) facts.model = readString(scanner);
    else if (scanner.keyEquals("error")) error = skipError(scanner);
    else if (scanner.keyEquals("promptFeedback") && scanner.kind === "object")
      blocked = readMember(scanner, "blockReason");
    else scanner.skipValue();
  }
  const searches = Object.assign({}, ...candidates.map((candidate) => candidate.searches));
  Object.assign(facts.tokens, contentCounts(usage, searches));
  const reasons = candidates.length > 0 ? candidates.map(({ reason }) => reason) : [blocked];
  facts.finishReason = reasons[0] ?? null;
  const content = candidates.some((candidate) => candidate.content);
  facts.noAnswer = whyNoAnswer({ content, error, reasons, member: "candidates" });
}

function readCandidates(scanner: JsonScanner): Candidate[] {
  const candidates: Candidate[] = [];
  for (let more = scanner.enterArray(); more; more = scanner.nextElement()) {
    if (scanner.kind === "object") candidates.push(readCandidate(scanner));
    else scanner.skipValue();
  }
  return candidates;
}

function readCandidate(scanner: JsonScanner): Candidate {
  let reason: string | null = null;
  let content = false;
  let searches = {};
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("finishReason")) reason = readString(scanner) || null;
    else if (scanner.keyEquals("groundingMetadata")) searches = searchesIn(takeUsage(scanner));
    else if (scanner.keyEquals("content") && scanner.kind === "object") content = hasParts(scanner);
    else scanner.skipValue();
  }
  return { reason, content, searches };
}

function hasParts(scanner: JsonScanner): boolean {
  let has = false;
  for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
    if (scanner.keyEquals("parts")) has = skipContent(scanner);
    else scanner.skipValue();
  }
  return has;
}
