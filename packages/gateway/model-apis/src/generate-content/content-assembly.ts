import { writeJson } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/json-object.ts";
import { CaptureBudget } from "../streams/capture-budget.ts";

interface Part {
  /** The part without its text. */
  members: JsonObject;
  /** Null: it has none. */
  readonly texts: string[] | null;
}

interface Candidate {
  members: JsonObject;
  content: JsonObject;
  readonly parts: Part[];
}

/** Builds from a stream's events the answer that the same request would have returned without streaming. */
export class ContentAssembly {
  readonly #budget: CaptureBudget;
  readonly #candidates = new Map<unknown, Candidate>();
  #members: JsonObject = {};
  #came = false;

  constructor(maxBytes: number) {
    this.#budget = new CaptureBudget(maxBytes);
  }

  /** Something was left out for lack of room. */
  get truncated(): boolean {
    return this.#budget.exceeded;
  }

  /** The last value of a member counts; parts are added to those before. */
  add({ candidates, ...members }: JsonObject, eventBytes: number): void {
    this.#came = true;
    this.#members = { ...this.#members, ...members };
    const hasRoom = this.#budget.append(eventBytes);
    for (const [at, candidate] of (Array.isArray(candidates) ? candidates : []).entries())
      if (isJsonObject(candidate)) this.#addCandidate(candidate, at, hasRoom);
  }

  /** The answer so far as JSON in UTF-8; null if nothing came. */
  text(): Uint8Array | null {
    if (!this.#came) return null;
    const candidates = [...this.#candidates.values()].map(({ content, parts, members }) => {
      const { parts: _given, ...rest } = content;
      const whole = parts.length === 0 ? content : { parts: parts.map(wholePart), ...rest };
      return { ...(Object.keys(whole).length === 0 ? {} : { content: whole }), ...members };
    });
    const answer = candidates.length === 0 ? this.#members : { candidates, ...this.#members };
    return Buffer.from(writeJson(answer));
  }

  #addCandidate({ content, ...members }: JsonObject, at: number, hasRoom: boolean): void {
    const key = members.index ?? at;
    const candidate = this.#candidates.get(key) ?? { members: {}, content: {}, parts: [] };
    this.#candidates.set(key, candidate);
    candidate.members = { ...candidate.members, ...members };
    if (!isJsonObject(content)) return;
    candidate.content = { ...candidate.content, ...content };
    if (hasRoom && Array.isArray(content.parts))
      for (const part of content.parts) if (isJsonObject(part)) addPart(candidate.parts, part);
  }
}

/** Texts of one kind are one part, up to a signature: that is of all that came before it. */
function addPart(parts: Part[], { text, ...members }: JsonObject): void {
  const last = parts.at(-1);
  if (typeof text !== "string") {
    parts.push({ members: text === undefined ? members : { text, ...members }, texts: null });
    return;
  }
  const { thoughtSignature: signature, ...kind } = members;
  const goesOn =
    last !== undefined &&
    last.texts !== null &&
    last.members.thoughtSignature === undefined &&
    writeJson(last.members) === writeJson(kind);
  if (goesOn) {
    last.texts.push(text);
    last.members = members;
  } else if (text !== "" || signature !== undefined || last === undefined)
    parts.push({ members, texts: [text] });
}

const wholePart = ({ members, texts }: Part): JsonObject =>
  texts === null ? members : { text: texts.join(""), ...members };
