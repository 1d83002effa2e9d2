import { startFaultyUpstream } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { expect, test } from "vitest";
import { startGateway } from "../start-gateway.ts";
import { sessionClient } from "./session-client.ts";

const whole = {
  choices: [{ index: 0, finish_reason: "stop", message: { content: "x" } }],
  usage: { prompt_tokens: 10, completion_tokens: 90 },
};

test("the gateway that takes a session over alone holds its budget, and continues from the rows", async () => {
  await using upstream = await startFaultyUpstream();
  await using database = await temporaryPostgres();
  const config = {
    ...{ max_tokens: 200, reserve: 100 },
    llm_routes: { demo: { base_url: upstream.url } },
    storage_type: "cloud",
    storage_config: { db_url: database.url },
  };
  await using first = await startGateway(config);
  await using second = await startGateway(config);
  const [here, there] = [sessionClient(first, "s"), sessionClient(second, "s")];
  const before = here.chat();
  await (await upstream.nextRequest()).reply.json(whole);
  expect((await before).status).toBe(200);
  // It holds the rest of the budget where it is; then the session moves.
  const cutOff = here.chat();
  await upstream.nextRequest();
  const after = there.chat();
  const { reply } = await upstream.nextRequest();
  const waiting = there.chat();
  await reply.json(whole);
  expect((await after).headers.get("x-gateway-stop")).toBeNull();
  expect((await waiting).headers.get("x-gateway-stop")).toBe("max_tokens");
  expect((await here.chat()).status).toBe(503);
  await first.close();
  expect([503, 499]).toContain((await cutOff).status);
  expect(await there.status()).toMatchObject({ tokens: 200 });
});
