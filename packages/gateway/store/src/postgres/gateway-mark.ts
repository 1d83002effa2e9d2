import { type QueryRunner, StoreReplacedError, statement } from "@proj/database";

/** The database has lost something that it had acknowledged to this gateway, or is another database. */
export class WentBackError extends Error {
  override readonly name = "WentBackError";
}

/** Marks of gateways silent for this long are removed, in seconds. */
const forgottenAfterS = 30 * 24 * 60 * 60;

const now = "extract(epoch from clock_timestamp())::double precision";

const forget = statement(`delete from gateway_marks where seen_at < ${now} - ${forgottenAfterS}`);
const begin = statement(`
  insert into gateway_marks (gateway_id, mark, seen_at) values ($1, $2, ${now})
  on conflict (gateway_id) do update set mark = greatest(gateway_marks.mark, excluded.mark), seen_at = ${now}`);
const end = statement("delete from gateway_marks where gateway_id = $1");
const find = statement("select mark from gateway_marks where gateway_id = $1 and mark >= $2");
/** Part of a statement with these two parameters. */
export const raiseMark = (gateway_id: string, mark: string): string =>
  `update gateway_marks set mark = mark + 1, seen_at = ${now}
   where gateway_id = ${gateway_id} and mark >= ${mark} returning mark`;
const raise = statement<{ readonly mark: number }>(raiseMark("$1", "$2"));

const readId = statement<{ readonly storage_id: string }>("select storage_id from storage_info");
const endBindings = statement("update session_owners set epoch = epoch + 1 where gateway_id = $1");

/**
 * A count of this gateway in the database, raised with each batch. A standby that was promoted without the last
 * transactions, a restored backup and another database all have a smaller one than was acknowledged, or none.
 */
export class GatewayMark {
  readonly gateway_id: string;
  readonly #storage_id: string;
  /** The database had at least this; null: this gateway has not begun in it yet. */
  #acknowledged: number | null = null;

  constructor(gateway_id: string, storage_id: string) {
    this.gateway_id = gateway_id;
    this.#storage_id = storage_id;
  }

  get hasBegun(): boolean {
    return this.#acknowledged !== null;
  }

  get acknowledged(): number {
    return this.#acknowledged ?? 0;
  }

  /** Takes note of a mark that is committed. */
  acknowledge(mark: number): void {
    this.#acknowledged = Math.max(this.acknowledged, mark);
  }

  /** @throws WentBackError */
  async check(runner: QueryRunner<unknown>): Promise<void> {
    const { rows } = await runner.run(find, [this.gateway_id, this.acknowledged]);
    if (rows.length === 0) throw new WentBackError();
  }

  /** @returns what to acknowledge once the transaction is committed. @throws WentBackError */
  async raise(runner: QueryRunner<unknown>): Promise<number> {
    const [raised] = (await runner.run(raise, [this.gateway_id, this.acknowledged])).rows;
    if (raised === undefined) throw new WentBackError();
    return raised.mark;
  }

  /**
   * Begins in a database, or again in one that went back, inside a transaction. Earlier bindings of this gateway no
   * longer count, so every session is bound and read again before its next row.
   * @throws StoreReplacedError it is another database
   */
  async begin(runner: QueryRunner<unknown>): Promise<void> {
    const [info] = (await runner.run(readId)).rows;
    if (info?.storage_id !== this.#storage_id) {
      throw new StoreReplacedError(
        `The database is not the one that was in use: its storage_id is ${info?.storage_id}, not ${this.#storage_id}. ` +
          "Connect to that one again, or restart to use this one",
      );
    }
    await runner.run(endBindings, [this.gateway_id]);
    await runner.run(forget);
    await runner.run(begin, [this.gateway_id, this.acknowledged]);
  }

  async end(runner: QueryRunner<unknown>): Promise<void> {
    await runner.run(end, [this.gateway_id]);
  }
}
