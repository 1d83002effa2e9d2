import { monotonicMs, StoreUnavailableError, statement } from "@proj/database";
import type { PostgresDatabase } from "@proj/database/postgres";
import type { StoreRunner, StoreSource } from "../dialect.ts";
import { forkSessionSql } from "../queries/forks/fork-session.ts";
import { ignoredText } from "../queries/forks/ignored-members.ts";
import { readFork } from "../queries/forks/read-fork.ts";
import { readRoutes } from "../queries/routes/read-routes.ts";
import { keepConversationSql } from "../queries/sessions/conversations.ts";
import type { RouteChange, RouteReport, RouteState, RoutesOfAll } from "../route-state.ts";
import type { SessionFork } from "../session-fork.ts";
import { storageKinds } from "../storage-kinds.ts";
import type {
  SessionBinding,
  StepAmendment,
  StepRow,
  StepWritten,
  StoredConversation,
  WriteOptions,
} from "../store.ts";
import type { StoreWrites } from "../store-writes.ts";
import { GatewayMark, WentBackError } from "./gateway-mark.ts";
import { RouteReports } from "./route-reports.ts";
import { SessionOwners } from "./session-owners.ts";
import { SharedRead } from "./shared-read.ts";
import { StepWriter } from "./step-writer.ts";

const readTimeoutMs = 10_000;
/** Requests wait for this; if it takes longer, they go on without it. */
const bindingTimeoutMs = 2_000;
const pingTimeoutMs = 5_000;
const amendTimeoutMs = 30_000;

const readState = statement<{ readonly is_read_only: boolean }>(
  "select current_setting('transaction_read_only') = 'on' as is_read_only from storage_info",
);

const forkSession = statement(forkSessionSql("$1", "$2", "$3", "$4", "$5", "$6"));
const keepConversation = statement(keepConversationSql("$1", "$2", "$3", "$4", "$5"));

export interface PostgresStoreParts {
  readonly storage_id: string;
  /** Distinguishes this gateway from every other, and from itself before a restart. */
  readonly gateway_id: string;
  readonly database: PostgresDatabase<StoreSource>;
  /** Strings from this size on are stored once, in bytes. */
  readonly largeValueBytes: number;
  /** Called after the database was found without something that it had acknowledged. */
  readonly onWentBack: () => void;
}

/** What a SessionStore writes into a database that it shares with other gateways. */
export class PostgresStore implements StoreWrites {
  readonly storage_type = "cloud";
  readonly isShared: boolean = storageKinds.cloud.isShared;
  readonly storage_id: string;
  readonly #database: PostgresDatabase<StoreSource>;
  readonly #mark: GatewayMark;
  readonly #onWentBack: () => void;
  readonly #owners: SessionOwners;
  readonly #routes: RouteReports;
  readonly #steps: StepWriter;
  readonly #bindings: SharedRead<SessionBinding>;
  #beginning: Promise<void> | null = null;

  constructor(parts: PostgresStoreParts) {
    const { storage_id, gateway_id, database, largeValueBytes, onWentBack } = parts;
    this.storage_id = storage_id;
    this.#database = database;
    this.#onWentBack = onWentBack;
    this.#mark = new GatewayMark(gateway_id, storage_id);
    this.#owners = new SessionOwners(this.#mark);
    this.#routes = new RouteReports(gateway_id);
    this.#steps = new StepWriter(this.#owners, this.#mark, largeValueBytes);
    this.#bindings = new SharedRead((session_ids) =>
      this.#use((runner) => this.#owners.read(runner, session_ids), within(bindingTimeoutMs)),
    );
  }

  async writeSteps(
    rows: readonly StepRow[],
    { deadline }: WriteOptions,
  ): Promise<readonly StepWritten[]> {
    if (rows.length === 0) return [];
    return this.#use((runner) => this.#steps.write(runner, rows), deadline);
  }

  async amendSteps(amendments: readonly StepAmendment[]): Promise<void> {
    if (amendments.length === 0) return;
    await this.#checked(async (runner) => {
      for (const amendment of amendments) await this.#steps.amend(runner, amendment);
    }, within(amendTimeoutMs));
  }

  bindSession(session_id: string): Promise<SessionBinding> {
    return this.#use((runner) => this.#owners.bind(runner, session_id), within(readTimeoutMs));
  }

  readBinding(session_id: string): Promise<SessionBinding | null> {
    return this.#bindings.read(session_id);
  }

  closeSession(session_id: string): Promise<void> {
    return this.#checked((runner) => this.#owners.close(runner, session_id), within(readTimeoutMs));
  }

  reopenSession(session_id: string): Promise<void> {
    return this.#checked(
      (runner) => this.#owners.reopen(runner, session_id),
      within(readTimeoutMs),
    );
  }

  async forkSession(fork: SessionFork): Promise<SessionFork> {
    const { session_id, from_session_id, model, step, mode, ignore } = fork;
    const row = [session_id, from_session_id, model, step, mode, ignoredText(ignore)];
    await this.#checked((runner) => runner.run(forkSession, row), within(readTimeoutMs));
    return (await readFork(this.#database, session_id)) ?? fork;
  }

  async keepConversation(
    session_id: string,
    { conversation_id, model, replica }: StoredConversation,
  ): Promise<void> {
    const row = [session_id, conversation_id, model, replica, new Date().toISOString()];
    await this.#checked((runner) => runner.run(keepConversation, row), within(readTimeoutMs));
  }

  changeRoute(change: RouteChange): Promise<RouteState> {
    return this.#checked((runner) => this.#routes.change(runner, change), within(readTimeoutMs));
  }

  async exchangeRoutes(reports: readonly RouteReport[]): Promise<RoutesOfAll> {
    const others = await this.#checked(
      (runner) => this.#routes.exchange(runner, reports),
      within(bindingTimeoutMs),
    );
    return { states: await readRoutes(this.#database), others };
  }

  leaveRoutes(): Promise<void> {
    return this.#database.use((runner) => this.#routes.leave(runner), within(bindingTimeoutMs));
  }

  check(): Promise<void> {
    return this.ping();
  }

  async measure(): Promise<null> {
    return null;
  }

  async ping(): Promise<void> {
    await this.#use(async (runner) => {
      const [state] = (await runner.run(readState)).rows;
      if (state === undefined) throw new StoreUnavailableError("the storage_info is gone");
      if (state.is_read_only) {
        throw new StoreUnavailableError("The database is read-only: connect to the primary");
      }
      await this.#mark.check(runner);
    }, within(pingTimeoutMs));
  }

  async close(): Promise<void> {
    // Without an answer the mark stays, and is forgotten later.
    await this.#database
      .use((runner) => this.#mark.end(runner), within(bindingTimeoutMs))
      .catch(() => {});
    await this.#database.close();
  }

  /** For work that does not look at the mark itself. */
  #checked<Result>(
    work: (runner: StoreRunner) => Promise<Result>,
    deadline: number,
  ): Promise<Result> {
    return this.#use(async (runner) => {
      await this.#mark.check(runner);
      return work(runner);
    }, deadline);
  }

  /** Begins in the database before the work is done, at the first use and when it went back. */
  async #use<Result>(
    work: (runner: StoreRunner) => Promise<Result>,
    deadline: number,
  ): Promise<Result> {
    try {
      return await this.#database.use(work, deadline);
    } catch (error) {
      if (!(error instanceof WentBackError)) throw error;
      this.#beginning ??= this.#begin().finally(() => {
        this.#beginning = null;
      });
      await this.#beginning;
      return this.#database.use(work, deadline);
    }
  }

  async #begin(): Promise<void> {
    const { hasBegun } = this.#mark;
    await this.#database.transaction((runner) => this.#mark.begin(runner), within(readTimeoutMs));
    this.#mark.acknowledge(0);
    if (hasBegun) this.#onWentBack();
  }
}

const within = (milliseconds: number): number => monotonicMs() + milliseconds;
