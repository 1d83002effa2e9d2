import { chatCompletion, type FaultyUpstream, startFaultyUpstream } from "@proj/test-kit";
import { type TemporaryPostgres, temporaryPostgres } from "@proj/test-kit/postgres";
import fc from "fast-check";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";

/** Large enough for the bodies to be worth comparing, and for their memory to be freed at once. */
const tools = Array.from({ length: 20 }, (_, index) => ({
  type: "function",
  function: { name: `tool_${index}`, description: "x".repeat(1000) },
}));

interface Body {
  readonly messages: readonly object[];
  readonly tools: readonly object[];
}

interface SentStep {
  readonly messages: string;
  readonly request: string;
}

interface StoredStep extends SentStep {
  readonly step_id: number;
}

const say = (content: string): object => ({ role: "user", content });
const large = (messages: readonly object[]): Body => ({ messages, tools });

describe.each(["sqlite", "cloud"])("histories in storage_type %s", (storage_type) => {
  let upstream: FaultyUpstream;
  let database: TemporaryPostgres | null = null;
  let gateway: TestGateway;
  let sessions = 0;

  beforeAll(async () => {
    upstream = await startFaultyUpstream(async (request, reply) => {
      const isRefused = request.body.includes("fail here");
      await reply.json(isRefused ? { error: {} } : chatCompletion(), {
        status: isRefused ? 500 : 200,
      });
    });
    database = storage_type === "cloud" ? await temporaryPostgres() : null;
    gateway = await start();
  });
  afterAll(async () => {
    await gateway.close();
    await database?.[Symbol.asyncDispose]();
    await upstream.close();
  });

  const start = (telemetry: object = {}): Promise<TestGateway> =>
    startGateway({
      llm_routes: { demo: { base_url: upstream.url } },
      telemetry,
      ...(database === null
        ? {}
        : { storage_type: "cloud", storage_config: { db_url: database.url } }),
    });

  const newSession = (): string => {
    sessions += 1;
    return `session-${sessions}`;
  };

  /** Sends a body with members as clients write them, and returns its number. */
  async function send(
    session_id: string,
    { messages, tools }: Body,
    to = gateway,
  ): Promise<number> {
    const text = JSON.stringify({ model: "demo", messages, tools, temperature: 0 });
    const response = await to.post(`/v1/sessions/${session_id}/chat/completions`, text);
    await response.text();
    return Number(response.headers.get("x-gateway-step-id"));
  }

  const sent = ({ messages, tools }: Body): SentStep => ({
    messages: JSON.stringify(messages),
    request: JSON.stringify({ model: "demo", messages: null, tools, temperature: 0 }),
  });

  async function stored(session_id: string, of = gateway): Promise<readonly StoredStep[]> {
    const steps: StoredStep[] = [];
    for (let after: number | null = 0; after !== null; ) {
      const page = await fetch(`${of.url}/v1/sessions/${session_id}/steps?after=${after}&limit=7`);
      const body = (await page.json()) as { steps: StoredStep[]; next_after: number | null };
      steps.push(...body.steps);
      after = body.next_after;
    }
    return steps.toSorted((a, b) => a.step_id - b.step_id);
  }

  const columns = ({ messages, request }: SentStep): SentStep => ({ messages, request });

  test("any sequence of steps is read back as it was sent", async () => {
    const action = fc.record({
      kind: fc.constantFrom("append", "edit", "shrink", "branch", "tools", "fail", "credential"),
      at: fc.nat(100),
      content: fc.string({ unit: "grapheme", maxLength: 20 }),
      together: fc.nat(3),
    });
    const property = fc.asyncProperty(
      fc.array(action, { minLength: 1, maxLength: 10 }),
      async (plan) => {
        const session_id = newSession();
        const expected = new Map<number, SentStep>();
        let current: Body = large([say("begin")]);
        const branches: Body[] = [current];
        for (const { kind, at, content, together } of plan) {
          const index = at % Math.max(current.messages.length, 1);
          const next: Record<typeof kind, () => Body> = {
            append: () => ({ ...current, messages: [...current.messages, say(content)] }),
            edit: () => ({ ...current, messages: current.messages.with(index, say(content)) }),
            shrink: () => ({ ...current, messages: current.messages.slice(0, index + 1) }),
            branch: () => branches[at % branches.length] ?? current,
            tools: () => ({ ...current, tools: [...current.tools, { type: content }] }),
            fail: () => ({ ...current, messages: [...current.messages, say("fail here")] }),
            credential: () => ({
              ...current,
              messages: [...current.messages, { ...say(content), api_key: "[REDACTED]" }],
            }),
          };
          current = next[kind]();
          branches.push(current);
          // Some in parallel, like an agent's helpers.
          const sending = Array.from({ length: Math.max(together, 1) }, () => current);
          const ids = await Promise.all(sending.map((body) => send(session_id, body)));
          for (const id of ids) expected.set(id, sent(current));
        }
        const steps = await stored(session_id);
        expect(steps.map(columns)).toEqual(steps.map(({ step_id }) => expected.get(step_id)));
        expect(steps).toHaveLength(expected.size);
      },
    );
    await fc.assert(property, { numRuns: 15, seed: 3 });
  });

  test("a growing history is stored once, with a whole row after every 64", async () => {
    const session_id = newSession();
    const bodies: Body[] = [];
    for (let step = 1; step <= 70; step += 1) {
      const body = large([...(bodies.at(-1)?.messages ?? []), say(`step ${step}`)]);
      bodies.push(body);
      await send(session_id, body);
    }
    const steps = await stored(session_id);
    expect(steps.map(columns)).toEqual(bodies.map(sent));
    const whole = (await bases(session_id)).flatMap((base, index) =>
      base === null ? [index + 1] : [],
    );
    expect(whole).toEqual([1, 65]);
  });

  test("a cut, edited or restarted history is stored as a difference too", async () => {
    const session_id = newSession();
    const messages = Array.from({ length: 9 }, (_, index) =>
      say(`message ${index} ${"y".repeat(200)}`),
    );
    const bodies = [
      large(messages),
      large(messages.slice(0, 6)),
      large(messages.with(8, say("an end of another kind"))),
      large([...messages, say("on")]),
    ];
    for (const body of bodies) await send(session_id, body);
    expect((await stored(session_id)).map(columns)).toEqual(bodies.map(sent));
    expect((await bases(session_id)).map((base) => base !== null)).toEqual([
      false,
      true,
      true,
      true,
    ]);
  });

  test("a redacted body is stored whole, and masked", async () => {
    const session_id = newSession();
    const first = large([say("begin")]);
    await send(session_id, first);
    const secret = { ...say("look"), api_key: "sk-secret" };
    await send(session_id, large([...first.messages, secret]));
    await send(session_id, large([...first.messages, secret, say("on")]));
    const steps = await stored(session_id);
    expect(steps.map(({ messages }) => JSON.parse(messages).at(1)?.api_key)).toEqual([
      undefined,
      "[REDACTED]",
      "[REDACTED]",
    ]);
    expect(await bases(session_id)).toEqual([null, null, null]);
  });

  test("a row without its payload is never a base", async () => {
    await using failures = await start({ capture_payload: "failed_only" });
    const session_id = newSession();
    const first = large([say("begin")]);
    await send(session_id, first, failures);
    const second = large([...first.messages, say("fail here")]);
    await send(session_id, second, failures);
    const third = large([...second.messages, say("fail here too")]);
    await send(session_id, third, failures);
    const steps = await stored(session_id, failures);
    expect(steps.map(columns)).toEqual([
      { messages: null, request: null },
      sent(second),
      sent(third),
    ]);
  });

  /** The base of each row, in the order of the steps. */
  async function bases(session_id: string): Promise<readonly (number | null)[]> {
    const sql = "select messages_base from session_steps where session_id = ";
    if (database === null) {
      return gateway.database((connection) =>
        connection
          .prepare<[string], number | null>(`${sql} ? order by step_id`)
          .pluck()
          .all(session_id),
      );
    }
    const client = new Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query(`${sql} $1 order by step_id`, [session_id]);
    await client.end();
    return rows.map(({ messages_base }) => messages_base);
  }
});
