import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../dialect.ts";

/** The part of its history that a row stores, and the row it builds on. */
export interface StoredHistory {
  readonly id: number;
  readonly messages_base: number | null;
  readonly messages_shared: number | null;
  readonly request: string | null;
  readonly messages: Uint8Array | string | null;
}

/** A row's history, whole. */
export interface WholeHistory {
  readonly request: string | null;
  readonly messages: Buffer | null;
}

/** The row `id` and all rows that its history builds on. */
const readChain = query(({ db, dialect }: StoreSource) =>
  db
    .withRecursive("link", (from) =>
      from
        .selectFrom("stored_steps")
        .select(["id", "messages_base", "session_id"])
        .where("id", "=", parameter<number>("id"))
        .where("session_id", "=", parameter<string>("session_id"))
        .unionAll((all) =>
          all
            .selectFrom("stored_steps as earlier")
            // An earlier row of the same session: whatever the ids in a damaged table are, the chain ends.
            .innerJoin("link", (join) =>
              join
                .onRef("link.messages_base", "=", "earlier.id")
                .onRef("link.session_id", "=", "earlier.session_id")
                .onRef("link.id", ">", "earlier.id"),
            )
            .select(["earlier.id", "earlier.messages_base", "earlier.session_id"]),
        ),
    )
    .selectFrom("unfolded_steps")
    .where("id", "in", (from) => from.selectFrom("link").select("id"))
    .select(["id", "messages_base", "messages_shared", "request"])
    .select(dialect.bytesOf("messages").as("messages"))
    // No row builds on a later one.
    .orderBy("id"),
);

/**
 * Completes the histories of a session's rows, one after the other in the order of their ids: most build on an earlier one of
 * these rows; if a chain begins before them, its rest is read.
 */
export class WholeHistories {
  readonly #runner: StoreRunner;
  readonly #session_id: string;
  readonly #whole = new Map<number, WholeHistory>();

  constructor(runner: StoreRunner, session_id: string) {
    this.#runner = runner;
    this.#session_id = session_id;
  }

  async of(row: StoredHistory): Promise<WholeHistory> {
    const { messages_base } = row;
    if (messages_base !== null && messages_base < row.id && !this.#whole.has(messages_base)) {
      const { rows } = await this.#runner.run(readChain, {
        id: messages_base,
        session_id: this.#session_id,
      });
      for (const earlier of rows) this.#add(earlier);
    }
    return this.#add(row);
  }

  #add(row: StoredHistory): WholeHistory {
    const whole = this.#wholeOf(row);
    this.#whole.set(row.id, whole);
    return whole;
  }

  #wholeOf({ messages_base, messages_shared, request, messages }: StoredHistory): WholeHistory {
    const own = messages === null ? null : asBuffer(messages);
    if (messages_base === null) return { request, messages: own };
    const base = this.#whole.get(messages_base);
    const shared = base?.messages?.subarray(0, messages_shared ?? 0);
    // Without all of the base, which was deleted or changed, the rest is not a history.
    const isWhole = shared?.length === messages_shared && own !== null;
    return {
      request: request ?? base?.request ?? null,
      messages: isWhole ? Buffer.concat([shared, own]) : null,
    };
  }
}

function asBuffer(messages: Uint8Array | string): Buffer {
  if (typeof messages === "string") return Buffer.from(messages);
  return Buffer.from(messages.buffer, messages.byteOffset, messages.length);
}
