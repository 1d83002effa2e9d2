import { startDemoUpstream, waitFor, within } from "@proj/test-kit";
import OpenAI from "openai";
import { expect, test } from "vitest";
import { ask, type GotStep } from "./agent.ts";
import { post, Site, sessionClient } from "./site.ts";
import { expectStoredOnce } from "./stored-steps.ts";

const session_id = "shared";

test("one session at two gateways at once: nothing repeats, nothing is lost, nothing follows the close", async () => {
  await using upstream = await startDemoUpstream({ delayMs: 3 });
  await using site = await Site.start({ upstreamUrl: upstream.url, hasBalancer: false });
  const clients = [site.first, site.second].map(({ url }) => sessionClient(url, session_id));
  const got: GotStep[] = [];

  /** At each gateway in turn, until the session is closed. */
  const agent = async (name: string): Promise<void> => {
    for (let number = 0; ; number += 1) {
      const openai = clients[number % 2];
      if (openai === undefined) throw new Error("There are two.");
      const code = await ask(openai, `${name} asks ${number}`).then(
        (step) => void got.push(step),
        (error: unknown) => (error instanceof OpenAI.APIError ? error.code : String(error)),
      );
      if (code === "session_closed") return;
      // If others took the session at each of the SDK's attempts, the agent asks again.
      if (code !== undefined && code !== "session_moved") throw new Error(`It was ${code}.`);
    }
  };
  const retriedSteps = async (): Promise<number> => {
    const [retried] = await site.query<{ steps: number }>(
      `select count(*)::int as steps from session_steps
       where status_code = 200 and (meta_json::json ->> 'client_retry_count')::int > 0`,
    );
    return retried?.steps ?? 0;
  };

  const agents = Promise.all([agent("a"), agent("b"), agent("c")]);
  const isEnough = async (): Promise<boolean> => got.length >= 25 && (await retriedSteps()) > 5;
  await Promise.race([agents, waitFor(isEnough, "25 steps, and 6 that were retried")]);
  const answer = await post(site.first.url, `/v1/sessions/${session_id}/close?wait=10`);
  const rows = await site.storedRows();
  expect(await answer.json()).toMatchObject({ status: "closed" });
  await within(agents, "the agents' ends");

  expect(await site.storedRows()).toEqual(rows);
  expect(rows.map(({ step_id }) => step_id)).toEqual(rows.map((_, index) => index + 1));
  expectStoredOnce(got, rows);
  expect(await retriedSteps()).toBeGreaterThan(5);
});
