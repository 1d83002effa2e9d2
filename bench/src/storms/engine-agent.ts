import { setTimeout as delay } from "node:timers/promises";

/** An answer that a caller got whole. */
export interface AgentAnswer {
  readonly session_id: string;
  readonly step_id: number;
  readonly text: string;
}

export const faults = [
  "left before the answer",
  "left in the answer",
  "engines that died",
] as const;
type Fault = (typeof faults)[number];

const apis = ["chat/completions", "messages", "responses"] as const;
/** A conversation starts over at this length. */
const maxMessages = 12;

/** One caller with a session of its own, whose requests go wrong two times out of three. */
export class EngineAgent {
  readonly answers: AgentAnswer[] = [];
  readonly counts: Map<Fault, number> = new Map();
  readonly #url: string;
  readonly #session_id: string;
  readonly #api: (typeof apis)[number];
  #random: number;

  constructor(gateway: string, number: number, seed: number) {
    this.#session_id = `engine-${number}`;
    this.#api = apis[number % apis.length] ?? "messages";
    this.#url = `${gateway}/v1/sessions/${this.#session_id}/${this.#api}`;
    this.#random = seed * 1_000 + number;
  }

  get faulted(): number {
    return [...this.counts.values()].reduce((sum, count) => sum + count, 0);
  }

  async run(signal: AbortSignal): Promise<void> {
    let history: { readonly role: string; readonly content: string }[] = [];
    while (!signal.aborted) {
      const fault = [null, ...faults][this.#below(4)] ?? null;
      const content = fault === "engines that died" ? `Go on. [die ${this.#below(9)}]` : "Go on.";
      const asked = [...history, { role: "user", content }];
      const answer = await this.#ask(asked, fault).catch(asError);
      // While the gateway is being started again, nothing else goes wrong.
      const isAway = answer instanceof TypeError;
      if (fault !== null && !isAway) this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1);
      if (answer instanceof Error) {
        if (isAway) await delay(100);
        continue;
      }
      this.answers.push({ ...answer, session_id: this.#session_id });
      history = [...asked, { role: "assistant", content: answer.text }];
      if (history.length > maxMessages) history = [];
    }
  }

  /** @throws Error there was no whole answer; a TypeError: no answer at all */
  async #ask(
    history: readonly object[],
    fault: Fault | null,
  ): Promise<Omit<AgentAnswer, "session_id">> {
    const leaving = new AbortController();
    const body = {
      model: "policy",
      stream: this.#below(2) === 0,
      [this.#api === "responses" ? "input" : "messages"]: history,
      ...(this.#api === "messages" ? { max_tokens: 99 } : {}),
    };
    if (fault === "left before the answer") setTimeout(() => leaving.abort(), this.#below(8));
    const signal = AbortSignal.any([leaving.signal, AbortSignal.timeout(60_000)]);
    const answer = await fetch(this.#url, { method: "POST", body: JSON.stringify(body), signal });
    if (fault === "left in the answer") setTimeout(() => leaving.abort(), this.#below(12));
    const text = await answer.text();
    const [said] = /Number \d+, said in a few tokens\./.exec(wholeText(text)) ?? [];
    if (answer.status !== 200 || said === undefined || !isWhole(text, body.stream))
      throw new Error(`no answer: ${answer.status}`);
    return { step_id: Number(answer.headers.get("x-gateway-step-id")), text: said };
  }

  #below(bound: number): number {
    this.#random = (Math.imul(this.#random, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#random / 2 ** 32) * bound);
  }
}

/** The text of an answer, or of its deltas. */
function wholeText(text: string): string {
  const events = [...text.matchAll(/^data: (\{.*)$/gm)].map(([, json = ""]) => JSON.parse(json));
  if (events.length === 0) return text;
  return events
    .map(({ type, delta, choices }) => {
      if (type === "response.output_text.delta") return delta;
      return choices?.[0]?.delta?.content ?? delta?.text ?? "";
    })
    .join("");
}

const isWhole = (text: string, stream: boolean): boolean =>
  !stream || /\[DONE\]|message_stop|response\.completed/.test(text.slice(-4_000));

const asError = (error: unknown): Error =>
  error instanceof Error ? error : new Error(String(error));
