import type { SimulationStartRequest } from "@proj/gateway-protocol";
import type { EnvironmentRow } from "@proj/session-store";
import type { GivenResult } from "../../src/index.ts";
import { poll } from "../../src/poll.ts";
import type { Phase } from "./phases.ts";

/** The attempt that a test holds where it wants it; all others run freely. */
export const isWatched = ({
  simulation_id,
  attempt,
}: Pick<EnvironmentRow, "simulation_id" | "attempt">): boolean =>
  simulation_id === "s0" && attempt === 1;

/** Takes two steps. @param hold the phase in which the watched attempt waits */
export async function takeTwoSteps(
  request: SimulationStartRequest,
  hold: Phase | null,
): Promise<GivenResult> {
  const holds = (phase: Phase): boolean => hold === phase && isWatched(request);
  await takeStep(request, holds("runtime in its first step"));
  await takeStep(request);
  if (holds("close begun")) await leaveStepBehind(request);
  return { status: "completed", step_count: 2 };
}

/** Retries while the gateway is out of reach, like the common SDKs. */
async function takeStep(request: SimulationStartRequest, isHeld: boolean = false): Promise<void> {
  const status = await untilAnswered(async () => (await ask(request, isHeld)).status);
  if (status !== 200) throw new Error(`the gateway answered ${status}`);
}

/** Ends while a request is in flight, so that closing the session has to wait for it. */
async function leaveStepBehind(request: SimulationStartRequest): Promise<void> {
  void ask(request, true).catch(() => {});
  await untilAnswered(async () => {
    const session: { in_flight?: number } = JSON.parse(
      await (await fetch(request.llm_base_url)).text(),
    );
    if (session.in_flight !== 1) throw new Error("the request has not arrived yet");
  });
}

/** @param isHeld whether the upstream leaves it unanswered */
function ask(request: SimulationStartRequest, isHeld: boolean): Promise<Response> {
  const { job_id, llm_base_url, llm_model } = request;
  return fetch(`${llm_base_url}/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(isHeld ? { "x-hold": job_id } : {}) },
    body: JSON.stringify({ model: llm_model, messages: [{ role: "user", content: "19 + 23" }] }),
  });
}

async function untilAnswered<T>(question: () => Promise<T>): Promise<T | null> {
  return poll(
    () =>
      question().then(
        (value) => ({ done: true, value }),
        () => ({ done: false }),
      ),
    { timeoutMs: 60_000, minDelayMs: 20, maxDelayMs: 20 },
  );
}
