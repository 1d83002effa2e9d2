import { type SessionListBody, sessionKey } from "@proj/gateway-protocol";
import {
  chatCompletion,
  type FaultyUpstream,
  type ReplyHandler,
  startFaultyUpstream,
} from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import OpenAI from "openai";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startGateway, type TestGateway } from "../start-gateway.ts";
import { refusal, sessionClient } from "./session-client.ts";

interface StoredRow {
  readonly step_id: number;
  readonly status_code: number;
}

interface TwoGateways {
  readonly upstream: FaultyUpstream;
  readonly first: TestGateway;
  readonly second: TestGateway;
  stored(session_id: string): Promise<readonly StoredRow[]>;
}

async function twoGateways(handler?: ReplyHandler, config: object = {}): Promise<TwoGateways> {
  const upstream = await startFaultyUpstream(handler);
  const database = await temporaryPostgres();
  const gatewayConfig = {
    llm_routes: { demo: { base_url: upstream.url } },
    storage_type: "cloud",
    storage_config: { db_url: database.url },
    ...config,
  };
  const first = await startGateway(gatewayConfig);
  const second = await startGateway(gatewayConfig);
  const reader = new Client({ connectionString: database.url });
  await reader.connect();
  onTestFinished(async () => {
    await first.close();
    await second.close();
    await reader.end();
    await database[Symbol.asyncDispose]();
    await upstream[Symbol.asyncDispose]();
  });
  return {
    upstream,
    first,
    second,
    stored: async (session_id) =>
      (
        await reader.query<StoredRow>(
          "select step_id, status_code from session_steps where session_id = $1 order by id",
          [session_id],
        )
      ).rows,
  };
}

/** Answers by itself, as most tests need. */
const answering: ReplyHandler = async (_request, reply) =>
  void (await reply.json(chatCompletion()));

test("a gateway whose session has moved answers session_moved, retryable, and then continues counting", async () => {
  const gateways = await twoGateways(answering);
  const [here, there] = [sessionClient(gateways.first, "s"), sessionClient(gateways.second, "s")];
  expect((await here.chat()).status).toBe(200);
  expect((await there.chat()).headers.get("x-gateway-step-id")).toBe("2");
  const moved = await here.chat();
  expect(moved.headers.get("retry-after-ms")).toMatch(/^\d+$/);
  expect(await refusal(moved)).toBe("503 session_moved, retry true");
  // It was refused before the model was asked.
  expect(gateways.upstream.requests).toHaveLength(2);
  const again = await here.chat();
  expect(again.headers.get("x-gateway-step-id")).toBe("3");
  expect(await gateways.stored("s")).toEqual(
    [1, 2, 3].map((step_id) => ({ step_id, status_code: 200 })),
  );
});

test("the official SDK's own retry ends in success", async () => {
  const gateways = await twoGateways(answering);
  const clients = [gateways.first, gateways.second].map(
    (gateway) => new OpenAI({ apiKey: "none", baseURL: gateway.sessionUrl("s") }),
  );
  const messages = [{ role: "user", content: "hello" }] as const;
  for (let round = 0; round < 3; round += 1) {
    for (const client of clients)
      await client.chat.completions.create({ model: "demo", messages: [...messages] });
  }
  expect(await gateways.stored("s")).toEqual(
    [1, 2, 3, 4, 5, 6].map((step_id) => ({ step_id, status_code: 200 })),
  );
});

test("requests in flight at the gateway that lost the session are ended and cancelled upstream", async () => {
  const gateways = await twoGateways();
  const [here, there] = [sessionClient(gateways.first, "s"), sessionClient(gateways.second, "s")];
  const holding = here.chat();
  const held = await gateways.upstream.nextRequest();
  const short = here.chat();
  const answered = await gateways.upstream.nextRequest();
  const taking = there.chat();
  const taken = await gateways.upstream.nextRequest();
  await taken.reply.json(chatCompletion());
  expect((await taking).status).toBe(200);
  // The first row to be stored finds out for all.
  await answered.reply.json(chatCompletion());
  expect(await refusal(await short)).toBe("503 session_moved, retry true");
  expect(await refusal(await holding)).toBe("503 session_moved, retry true");
  await held.closed();
  expect(await gateways.stored("s")).toEqual([{ step_id: 1, status_code: 200 }]);
});

test("a session closed at one gateway is closed at the other, and no row follows the close", async () => {
  const gateways = await twoGateways(answering);
  const [here, there] = [sessionClient(gateways.first, "s"), sessionClient(gateways.second, "s")];
  expect((await here.chat()).status).toBe(200);
  expect(await there.closeAndWait()).toMatchObject({ status: "closed" });
  expect(await refusal(await here.chat())).toBe("400 session_closed, retry false");
  expect(gateways.upstream.requests).toHaveLength(1);
  expect(await gateways.stored("s")).toHaveLength(1);
  expect(await here.latestSuccessStep()).toMatchObject({ step_id: 1 });
  // A clean opens it again, as with a single gateway.
  expect((await there.clean()).status).toBe(200);
  expect((await there.chat()).headers.get("x-gateway-step-id")).toBe("2");
});

test("a gateway does not list a session that another one has closed", async () => {
  const gateways = await twoGateways(answering);
  const here = sessionClient(gateways.first, "s");
  expect((await here.chat()).status).toBe(200);
  await sessionClient(gateways.second, "s").closeAndWait();
  const { sessions } = (await (
    await fetch(`${gateways.first.url}/v1/sessions`)
  ).json()) as SessionListBody;
  expect(sessions).toEqual([]);
});

test("under best effort an answer delivered but not stored is counted as lost", async () => {
  const gateways = await twoGateways(undefined, {
    telemetry: { mode: "best_effort", loss_policy: "drop_oldest", flush_interval_ms: 1 },
  });
  const [here, there] = [sessionClient(gateways.first, "s"), sessionClient(gateways.second, "s")];
  const asked = here.chat();
  const late = await gateways.upstream.nextRequest();
  const taking = there.chat();
  await (await gateways.upstream.nextRequest()).reply.json(chatCompletion());
  expect((await taking).status).toBe(200);
  await late.reply.json(chatCompletion());
  expect((await asked).status).toBe(200);
  await expect
    .poll(async () => (await fetch(`${gateways.first.url}/metrics`)).text())
    .toMatch(/rows_lost_total\{reason="session_moved"\} 1/);
});

test("the scoped key of a session closed and cleaned elsewhere is ended here too", async () => {
  const session_secret = "the secret of all sessions";
  const gateways = await twoGateways(answering, {
    auth: { api_keys: ["operator"], session_secret },
  });
  const key = sessionKey(session_secret, "s", { max_steps: 9 });
  const ask = ({ post }: TestGateway): Promise<Response> =>
    post(
      "/v1/sessions/s/chat/completions",
      { model: "demo", messages: [] },
      { authorization: `Bearer ${key}` },
    );
  const operator = { authorization: "Bearer operator" };
  expect((await ask(gateways.first)).status).toBe(200);
  await gateways.second.post("/v1/sessions/s/close?wait=5", {}, operator);
  await gateways.second.post("/v1/sessions/s/clean", {}, operator);
  expect(await refusal(await ask(gateways.second))).toBe("400 session_closed, retry false");
  // It still has the session in memory, learns that the session has moved, and then that it was closed.
  expect(await refusal(await ask(gateways.first))).toBe("503 session_moved, retry true");
  expect(await refusal(await ask(gateways.first))).toBe("400 session_closed, retry false");
  expect(gateways.upstream.requests).toHaveLength(1);
});
