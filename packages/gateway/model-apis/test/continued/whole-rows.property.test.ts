import fc from "fast-check";
import { expect, test } from "vitest";
import { type RowTexts, WholeRows } from "../../src/index.ts";

// Any tree of turns, each row of which names its parent or repeats its history: a reader sees the same histories, in
// any order and however little it keeps; where a row is missing, it says so for all that continue it.

type Api = "responses" | "messages";
interface Turn {
  /** Which earlier turn it continues, by position modulo the number of turns; null: it begins. */
  readonly parent: number | null;
  readonly names: boolean;
  readonly says: readonly string[];
  readonly isLost: boolean;
}

const turn = fc.record<Turn>({
  parent: fc.option(fc.nat(), { freq: 4 }),
  names: fc.boolean(),
  says: fc.array(fc.string(), { maxLength: 3 }),
  isLost: fc.boolean(),
});

interface Expected {
  readonly row: RowTexts;
  readonly history: readonly unknown[];
  readonly isPartial: boolean;
  readonly isLost: boolean;
}

const system = "be brief";

function rowsOf(api: Api, turns: readonly Turn[], loses: boolean): Expected[] {
  const made: Expected[] = [];
  for (const [at, { parent, names, says, isLost }] of turns.entries()) {
    const earlier = parent === null || at === 0 ? undefined : made[parent % at];
    const said = earlier === undefined ? [] : answered(api, earlier);
    const added = says.map((content) => ({ role: "user", content }));
    const refers = names && earlier !== undefined;
    const partial = refers && (earlier.isPartial || earlier.isLost);
    const repeats = refers ? added : [...said, ...added];
    const inherits = api === "messages" && refers;
    const meta = {
      endpoint: api,
      ...(refers ? { continues: { request_id: earlier.row.request_id, by: "x", id: "y" } } : {}),
    };
    made.push({
      row: {
        request_id: `r${at}`,
        meta_json: JSON.stringify(meta),
        request: JSON.stringify({ model: "m", ...(inherits ? {} : { system }), messages: null }),
        messages: JSON.stringify(repeats),
        response: JSON.stringify(answerOf(api, at)),
      },
      history: [...said, ...added],
      isPartial: partial,
      isLost: loses && isLost,
    });
  }
  return made;
}

const answerOf = (api: Api, at: number): object =>
  api === "messages"
    ? { id: `a${at}`, role: "assistant", content: [{ type: "text", text: `${at}` }], n: 1.0 }
    : { id: `a${at}`, output: [{ type: "reasoning" }, { type: "message", content: `${at}` }] };

function answered(api: Api, { history, row }: Expected): readonly unknown[] {
  const response = JSON.parse(row.response ?? "null");
  if (api === "responses") return [...history, ...response.output];
  return [...history, { role: "assistant", content: response.content }];
}

test.each(["responses", "messages"] as const)(
  "%s: every history is whole, or said to be partial",
  async (api) => {
    const plans = fc.array(turn, { minLength: 1, maxLength: 12 });
    const property = fc.asyncProperty(
      plans,
      fc.boolean(),
      fc.nat(2_000),
      async (turns, loses, kept) => {
        const made = rowsOf(api, turns, loses);
        const read = made.filter(({ isLost }) => !isLost);
        const stored = new Map(read.map(({ row }) => [row.request_id, row]));
        const rows = new WholeRows(kept);
        const readRow = async (id: string) => stored.get(id) ?? null;
        for (const { row, history, isPartial } of [...read, ...read.toReversed()]) {
          const whole = await rows.of(row, readRow);
          expect(whole.isPartial).toBe(isPartial);
          if (isPartial) continue;
          expect(JSON.parse(whole.messages ?? "null")).toEqual(history);
          expect(JSON.parse(whole.request ?? "null").system).toBe(system);
        }
      },
    );
    await fc.assert(property, { numRuns: 200 });
  },
);

test("rows that name each other end as partial", async () => {
  const row = (id: string, other: string): RowTexts => {
    const meta = { endpoint: "responses", continues: { request_id: other } };
    const rest = { request: "{}", messages: "[]", response: '{"output":[]}' };
    return { request_id: id, meta_json: JSON.stringify(meta), ...rest };
  };
  const rows = new Map([row("a", "b"), row("b", "a")].map((each) => [each.request_id, each]));
  const whole = await new WholeRows().of(row("a", "b"), async (id) => rows.get(id) ?? null);
  expect(whole.isPartial).toBe(true);
});
