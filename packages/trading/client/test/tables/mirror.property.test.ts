import { waitFor } from "@proj/test-kit";
import type { TableRow, TradingClient } from "@proj/trading-client";
import { parseWireTime } from "@proj/trading-client/wire";
import fc from "fast-check";
import { expect, test } from "vitest";
import { connect } from "../server/connect.ts";
import { orderRecord } from "../server/records.ts";
import { TradingServer } from "../server/trading-server.ts";

interface Edit {
  readonly kind: "insert" | "update" | "delete";
  /** At once, or just before or after the table's next snapshot is taken. */
  readonly when: "now" | "before" | "after";
  readonly id: string;
  readonly value: number;
}

type Edits = Readonly<Record<"before" | "after", Edit[]>>;

type Step =
  | Edit
  | { readonly kind: "duplicate"; readonly copies: number }
  | { readonly kind: "hold" | "release" | "drop" | "cut" | "wait" };

const edit: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom("insert", "update", "delete"),
  when: fc.constantFrom("now", "before", "after"),
  id: fc.constantFrom("1", "2", "3", "4"),
  value: fc.nat({ max: 9 }),
});
const duplicate = fc.record({
  kind: fc.constant("duplicate" as const),
  copies: fc.integer({ min: 1, max: 3 }),
});
const fault = fc.record({
  kind: fc.constantFrom("hold" as const, "release", "drop", "cut", "wait"),
});
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: edit },
    { weight: 1, arbitrary: duplicate },
    { weight: 3, arbitrary: fault },
  ),
  { maxLength: 40 },
);

test("after any drops, delays, duplicates and reconnects the mirror equals the server's table", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (sequence) => {
      await using server = await TradingServer.start();
      await using client = await connect(server);
      const { rows } = await client.subscribeTable("Order");
      // A table built from the change events alone.
      const followed = new Map<string, TableRow<"Order">>();
      client.on("Order", ({ action, key, row }) => {
        if (action === "D") followed.delete(key);
        else followed.set(key, row);
      });
      const edits: Edits = { before: [], after: [] };
      await editAroundSnapshots(server, client, edits);
      for (const step of sequence) await take(step, server, client, edits);
      await settle(server, client);
      await waitFor(() => followed.has("last"), "the last change");

      const truth = sorted([...server.tables.Order.values()]).map((record) => ({
        ...record,
        time: parseWireTime(record.time),
      }));
      for (const held of [rows, followed]) {
        const own = sorted([...held.values()]).map((row) => ({
          ...{ ...row, t: 3, expireDate: "" },
          time: row.time?.epochMilliseconds,
        }));
        expect(own).toEqual(truth);
      }
    }),
    { numRuns: 50 },
  );
});

/**
 * Applies edits around the next snapshot, which is answered after their pushes have arrived, so that
 * the pushes must wait for it.
 */
async function editAroundSnapshots(
  server: TradingServer,
  client: TradingClient,
  edits: Edits,
): Promise<void> {
  let received = 0;
  let sent = 1e12;
  client.on("price", ({ time }) => {
    received = time.epochMilliseconds;
  });
  await client.subscribePrices(["EUR/USD"]);
  server.onSnapshot = async (snapshot) => {
    for (const edit of edits.before.splice(0)) apply(edit, server);
    const answer = snapshot();
    for (const edit of edits.after.splice(0)) apply(edit, server);
    const connections = String(server.connectionIds);
    sent += 1;
    server.price("EUR/USD", 1, sent);
    const isOver = (): boolean =>
      received === sent || server.isHolding || connections !== String(server.connectionIds);
    await waitFor(isOver, "the pushes");
    return answer;
  };
}

async function take(
  step: Step,
  server: TradingServer,
  client: TradingClient,
  edits: Edits,
): Promise<void> {
  switch (step.kind) {
    case "duplicate":
      server.copies = step.copies;
      return;
    case "hold":
      return server.holdPushes();
    case "release":
      return server.releasePushes();
    case "drop":
      return server.dropConnections();
    case "cut":
      return server.cut();
    case "wait":
      await client.snapshot("Account");
      return;
    default:
      if (step.when === "now") apply(step, server);
      else edits[step.when].push(step);
  }
}

function apply({ kind, id: orderId, value }: Edit, server: TradingServer): void {
  const isThere = server.tables.Order.has(orderId);
  const changed = { orderId, amountK: value, time: `0425201812071${value}391` };
  if (kind === "insert" && !isThere) server.change("Order", "I", orderRecord(changed));
  if (kind === "update" && isThere) server.change("Order", "U", changed);
  if (kind === "delete" && isThere) server.change("Order", "D", { orderId });
}

/** Pushes a last change over an established connection; all others arrive before it. */
async function settle(server: TradingServer, client: TradingClient): Promise<void> {
  server.releasePushes();
  const isSettled = (): boolean =>
    client.connectionId !== null && String(server.connectionIds) === client.connectionId;
  await waitFor(isSettled, "the connection");
  server.change("Order", "I", orderRecord({ orderId: "last" }));
}

function sorted<Row extends { readonly orderId: string }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((a, b) => a.orderId.localeCompare(b.orderId));
}
