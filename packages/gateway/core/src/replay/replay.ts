import { type RequestBody, readRequestBody, WholeRows } from "@proj/model-apis";
import type { BrowsableStore, SessionFork, StoredStep } from "@proj/session-store";
import type { ReplayedStep } from "../call/call.ts";
import { GatewayError } from "../errors/gateway-error.ts";
import { type BoundCall, retryMarks } from "../recording/bound-call.ts";
import { readStorage } from "../session/read-storage.ts";
import { type Comparison, compareRequest } from "./compare-request.ts";
import { namesHistory, parseRecorded, parseRequest, withoutReference } from "./parse-request.ts";
import { Progress } from "./progress.ts";
import { readRecordedSteps, recordOf, type SessionRecord } from "./read-record.ts";
import type { RecordedStep } from "./recorded-step.ts";

/** The first call of a fork that does not repeat the record: it goes upstream, as do all after it. */
export interface Diverged {
  /** The recorded step that it should have repeated, and where it differs. */
  readonly diverged: string;
}

/** A recorded step whose answer a call gets. */
export interface Replayed {
  readonly step: ReplayedStep;
  /** The call has ended. If its answer did not arrive whole, the same request gets it again. */
  ended(isWhole: boolean): void;
  /** The call never became a step. */
  giveBack(): void;
}

export type ReplayCall = Pick<
  BoundCall,
  "endpoint" | "model" | "headers" | "body" | "recorded" | "reference" | "retry"
>;

/** Gives a request the history that it names; null: some of it is in no row. */
export type MakeWhole = (body: RequestBody) => Promise<RequestBody | null>;

/** How many characters of whole histories one fork keeps, so that its next request need not read them again. */
const maxCharacters = 1024 * 1024;

/** Answers a session's requests from another session's record, in the record's order. */
export class Replay {
  readonly #fork: SessionFork;
  readonly #store: Pick<BrowsableStore, "browser" | "readSteps">;
  #progress: Promise<Progress> | null = null;
  /** Requests are looked up one at a time: two must not get the same answer. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #rows = new WholeRows(maxCharacters);

  constructor(fork: SessionFork, store: Pick<BrowsableStore, "browser" | "readSteps">) {
    this.#fork = fork;
    this.#store = store;
  }

  /**
   * The recorded step that answers a call; otherwise the call goes upstream.
   * @throws GatewayError replay_diverged, storage_unavailable
   */
  find(call: ReplayCall, makeWhole: MakeWhole): Promise<Replayed | Diverged | null> {
    const found = this.#turn.then(() => this.#find(call, makeWhole));
    this.#turn = found.catch(() => {});
    return found;
  }

  async #find(call: ReplayCall, makeWhole: MakeWhole): Promise<Replayed | Diverged | null> {
    const progress = await this.#load();
    if (progress.hasDiverged) return null;
    if (call.endpoint.writeAnswer === null) return this.#findBeside(call, progress);
    const { sha256 } = call.recorded.digest();
    // After a restart, only the caller knows what it sent before.
    const isRetry = call.retry !== null || retryMarks(call, call.recorded).saysSo;
    const sameBytes = progress.candidates(call.model, isRetry).find(isSame(call, sha256));
    if (sameBytes !== undefined) return this.#take(sameBytes, [], progress);
    let difference: string | null = null;
    let alike: { readonly step: RecordedStep; readonly ignored: readonly string[] } | null = null;
    for (const step of progress.candidates(call.model, false)) {
      if (step.endpoint !== call.endpoint.name) {
        difference ??= `${nameOf(step)}, which was a request to ${step.endpoint}`;
        continue;
      }
      const compared = await this.#compare(call, step, makeWhole);
      if (compared.difference !== null) difference ??= `${nameOf(step)} ${compared.difference}`;
      else if (compared.ignored.length > 0) alike ??= { step, ignored: compared.ignored };
      else return this.#take(step, [], progress);
    }
    // If parallel requests differ only in ignored members, an equal one is preferred.
    if (alike !== null) return this.#take(alike.step, alike.ignored, progress);
    return this.#without(call, sha256, difference, progress);
  }

  /** The record has no answer. */
  #without(
    call: ReplayCall,
    sha256: string,
    difference: string | null,
    progress: Progress,
  ): Diverged | null {
    const { from_session_id, mode } = this.#fork;
    if (mode === "fork") {
      if (difference === null) return null;
      progress.diverge();
      return { diverged: difference };
    }
    const lost = progress.passedOver.find(isSame(call, sha256));
    const why =
      lost !== undefined
        ? `equals ${nameOf(lost)} of session '${from_session_id}', which is not replayed: ${lost.lacks ?? "it failed and was repeated"}`
        : difference !== null
          ? `differs from ${difference}`
          : `is not in the record: session '${from_session_id}' ${this.#endOf(call.model, progress)}`;
    throw diverged(`The request ${why}. A replay never asks a model.`);
  }

  #endOf(model: string, progress: Progress): string {
    const last = progress.last(model);
    if (last === undefined) return `has no steps of the model '${model}'`;
    return `has no step of '${model}' after ${last.step_id} to replay`;
  }

  /** For calls that are not steps: they have no place in the order, and an answer may be given again. */
  async #findBeside(call: ReplayCall, progress: Progress): Promise<Replayed | null> {
    const { sha256 } = call.recorded.digest();
    const found = progress.besides.find(
      (each) => each.lacks === null && each.model === call.model && isSame(call, sha256)(each),
    );
    const row = found === undefined ? null : await this.#read(found);
    // An abridged answer is not what the caller got.
    if (row !== null && !isAbridged(row))
      return { step: { row, ignored: [] }, ended: () => {}, giveBack: () => {} };
    if (this.#fork.mode === "fork") return null;
    throw diverged(
      `The record has no answer to this request to ${call.endpoint.name}; vectors are recorded only with telemetry.capture_embeddings. A replay never asks a model.`,
    );
  }

  async #take(
    step: RecordedStep,
    ignored: readonly string[],
    progress: Progress,
  ): Promise<Replayed> {
    const row = await this.#read(step);
    if (step.lacks !== null || row === null || row.response === null)
      throw diverged(
        `The request equals ${nameOf(step)} of the record, but ${step.lacks ?? "its row is gone"}.`,
      );
    const { ended, giveBack } = progress.take(step);
    return { step: { row, ignored }, ended, giveBack };
  }

  /** How a call's request differs from a recorded one. */
  async #compare(
    { body, recorded, reference, endpoint }: ReplayCall,
    step: RecordedStep,
    makeWhole: MakeWhole,
  ): Promise<Comparison> {
    const row = await this.#read(step);
    const wanted = row === null ? undefined : parseRecorded(row, endpoint);
    if (wanted === undefined)
      return { difference: "whose request was not recorded as it was received", ignored: [] };
    const compareWith = (bytes: Buffer): Comparison =>
      compareRequest(wanted, parseRequest(bytes, endpoint), this.#fork.ignore);
    const asSent = compareWith(body.bytes);
    if (asSent.difference === null) return asSent;
    // The record may be redacted, so this request is compared in its redacted form too.
    const compared = recorded.bytes === body.bytes ? asSent : compareWith(recorded.bytes);
    if (compared.difference === null || row === null) return compared;
    if (![wanted, parseRequest(body.bytes, endpoint)].some(namesHistory)) return compared;
    const kept = readRequestBody(recorded.bytes, endpoint.history);
    const whole = reference === null ? kept : await makeWhole(kept);
    const wholeRow = await this.#rows.of(row, async (request_id) => {
      const session_id = this.#fork.from_session_id;
      const page = this.#store.readSteps({ session_id, request_id });
      return (await readStorage(page)).steps[0] ?? null;
    });
    if (whole === null || wholeRow.isPartial) return compared;
    const wholes = compareRequest(
      withoutReference(parseRecorded(wholeRow, endpoint)),
      withoutReference(parseRequest(whole.bytes, endpoint)),
      this.#fork.ignore,
    );
    return wholes.difference === null ? wholes : compared;
  }

  async #read({ id }: RecordedStep): Promise<StoredStep | null> {
    const session_id = this.#fork.from_session_id;
    const page = this.#store.readSteps({ session_id, after: id - 1, limit: 1 });
    const [row] = (await readStorage(page)).steps;
    return row?.id === id ? row : null;
  }

  #load(): Promise<Progress> {
    this.#progress ??= this.#readProgress().catch((error: unknown) => {
      this.#progress = null;
      throw error;
    });
    return this.#progress;
  }

  /** Includes what the session did before this gateway loaded it. */
  async #readProgress(): Promise<Progress> {
    const { from_session_id, session_id } = this.#fork;
    const all = await readRecordedSteps(this.#store, from_session_id);
    const record: SessionRecord = recordOf(all, this.#fork);
    const own = await readRecordedSteps(this.#store, session_id);
    return new Progress(record, own);
  }
}

const isSame =
  ({ endpoint }: ReplayCall, sha256: string) =>
  (step: RecordedStep): boolean =>
    step.body_sha256 === sha256 && step.endpoint === endpoint.name;

const nameOf = ({ step_id }: RecordedStep): string => `step ${step_id}`;

/** Whether vectors were replaced by their shapes. */
const isAbridged = ({ response }: StoredStep): boolean =>
  response === null || /"embedding":\{"(?:dimensions|encoding_format)"/.test(response);

const diverged = (message: string): GatewayError => new GatewayError("replay_diverged", message);
