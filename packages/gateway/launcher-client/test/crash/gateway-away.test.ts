import { waitFor } from "@proj/test-kit";
import { expect, test } from "vitest";
import { functionRuntime } from "../../src/index.ts";
import { CrashJob, late } from "./crash-job.ts";
import { startCrashSite } from "./crash-site.ts";
import { expectFinishedOnce } from "./outcome.ts";

async function takeStep(llm_base_url: string, model: string): Promise<void> {
  const body = JSON.stringify({ model, messages: [{ role: "user", content: "19 + 23" }] });
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${llm_base_url}/chat/completions`, { method: "POST", headers, body });
  if (!answer.ok) throw new Error(`the gateway answered ${answer.status}`);
}

test("an agent that gives up while the gateway is away gets another attempt, which waits for the gateway", async () => {
  await using site = await startCrashSite();
  const job = await CrashJob.add(site, 1);
  const failed = Promise.withResolvers<void>();
  let startGateway = async (): Promise<void> => {};
  const runtime = functionRuntime(async ({ attempt, llm_base_url, llm_model }) => {
    await takeStep(llm_base_url, llm_model);
    if (attempt === 1) startGateway = await site.killGateway();
    await takeStep(llm_base_url, llm_model).catch((error) => {
      failed.resolve();
      throw error;
    });
    return { status: "completed", step_count: 2 };
  });
  const launcher = job.startHere(null, { ...late, runtime, maxAttempts: 1 });
  await failed.promise;
  const wasTold = (): boolean =>
    launcher.events.some(({ event }) => event === "gateway_unavailable");
  await waitFor(wasTold, "the outage to be reported");
  await startGateway();
  expect(await launcher.job).toMatchObject({ finished: 1, failed: 0 });
  expect((await expectFinishedOnce(job)).s0).toEqual(["interrupted", "finished"]);
  expect(launcher.events.map(({ event }) => event)).not.toContain("simulation_failed");
});

test("a simulation waits for an absent gateway, and begins when it is back", async () => {
  await using site = await startCrashSite();
  const job = await CrashJob.add(site, 2);
  const startGateway = await site.killGateway();
  const launcher = job.startHere(null, { ...late, maxAttempts: 1 });
  const wasTold = (): boolean =>
    launcher.events.some(({ event }) => event === "gateway_unavailable");
  await waitFor(wasTold, "the outage to be reported");
  await startGateway();
  expect(await launcher.job).toMatchObject({ finished: 2, failed: 0 });
  expect((await expectFinishedOnce(job)).s0).toEqual(["finished"]);
});
