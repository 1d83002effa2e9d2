import { startDemoUpstream, temporaryFolder } from "@proj/test-kit";
import { temporaryPostgres } from "@proj/test-kit/postgres";
import { expect, test } from "vitest";
import { postChat, say, serveGateway } from "./served-gateway.ts";

const turns = ["one", "two", "three", "four", "five", "six"];

/** Continues the conversation after the known messages; each request repeats the answers so far. */
async function play(
  url: string,
  session_id: string,
  known: readonly object[] = [],
  until = turns.length,
): Promise<object[]> {
  const messages = [...known];
  for (const turn of turns.slice(messages.length / 2, until)) {
    messages.push(say(turn));
    const answer = await postChat(url, session_id, false, messages);
    const body = (await answer.json()) as { choices: readonly { message: object }[] };
    messages.push(body.choices[0]?.message ?? {});
  }
  return messages;
}

/** For each delivered step, the source's step that answered it. */
async function replayedSteps(url: string, session_id: string): Promise<unknown[]> {
  const answer = await fetch(`${url}/v1/sessions/${session_id}/steps`);
  const { steps } = (await answer.json()) as { steps: readonly { meta_json: string }[] };
  return steps
    .map(({ meta_json }) => JSON.parse(meta_json))
    .filter(({ outcome }) => outcome === "completed")
    .map(({ replayed_from = null }) => replayed_from?.step_id ?? null);
}

test.each(["sqlite", "cloud"])(
  "a replay continues where it was when its gateway was killed (storage_type %s)",
  async (storage_type) => {
    await using folder = await temporaryFolder();
    await using database = storage_type === "cloud" ? await temporaryPostgres() : null;
    const storage = database
      ? `storage_type: cloud\nstorage_config: { db_url: "${database.url}" }`
      : undefined;
    await using upstream = await startDemoUpstream();
    const serve = () => serveGateway(folder.path, upstream.url, "", storage);
    let recorded: object[];
    let heard: object[];
    {
      const { program, url } = await serve();
      await using running = program;
      recorded = await play(url, "source");
      await fetch(`${url}/v1/sessions/branch/fork`, {
        method: "POST",
        body: JSON.stringify({ from: "source", step: 5 }),
      });
      heard = await play(url, "branch", [], 2);
      // One more is in flight, and its caller has received nothing of it.
      const lost = play(url, "branch", heard, 3).catch(() => null);
      running.kill("SIGKILL");
      expect(await running.exit()).toEqual({ code: null, signal: "SIGKILL" });
      await lost;
    }
    const { program, url } = await serve();
    await using _running = program;
    heard = await play(url, "branch", heard);
    expect(heard.slice(0, 11)).toEqual(recorded.slice(0, 11));
    const steps = await replayedSteps(url, "branch");
    // The lost one may have been stored before its caller received it.
    expect([...new Set(steps)]).toEqual([1, 2, 3, 4, 5, null]);
    expect(steps.filter((step) => step === null)).toHaveLength(1);
  },
  240_000,
);

const saysRetry = { "x-stainless-retry-count": "1" };

test.each([
  ["replay", {}, "sqlite"],
  ["replay", saysRetry, "cloud"],
  ["fork", saysRetry, "sqlite"],
  ["fork", {}, "cloud"],
])(
  "a step of a %s that was stored before its gateway was killed is answered once more (%o, storage_type %s)",
  async (mode, headers, storage_type) => {
    await using folder = await temporaryFolder();
    await using database = storage_type === "cloud" ? await temporaryPostgres() : null;
    const storage = database
      ? `storage_type: cloud\nstorage_config: { db_url: "${database.url}" }`
      : undefined;
    await using upstream = await startDemoUpstream();
    const serve = () => serveGateway(folder.path, upstream.url, "", storage);
    let recorded: object[];
    {
      const { program, url } = await serve();
      await using running = program;
      recorded = await play(url, "source");
      const fork = { method: "POST", body: JSON.stringify({ from: "source", mode }) };
      expect((await fetch(`${url}/v1/sessions/branch/fork`, fork)).status).toBe(200);
      await play(url, "branch", [], 2);
      const lost = play(url, "branch", recorded.slice(0, 4), 3).catch(() => null);
      // Its row is there; whether its caller has the answer, nobody knows afterwards.
      await expect.poll(() => replayedSteps(url, "branch"), { interval: 1 }).toHaveLength(3);
      running.kill("SIGKILL");
      await running.exit();
      await lost;
    }
    const { program, url } = await serve();
    await using _running = program;
    const third = [...recorded.slice(0, 4), say("three")];
    const again = await postChat(url, "branch", false, third, headers);
    expect(await again.json()).toMatchObject({ choices: [{ message: recorded[5] }] });
    expect(await play(url, "branch", recorded.slice(0, 6))).toEqual(recorded);
    // The model was asked for nothing.
    expect(await replayedSteps(url, "branch")).toEqual([1, 2, 3, 3, 4, 5, 6]);
    const different = await postChat(url, "branch", false, [say("never recorded")]);
    expect(different.status).toBe(mode === "replay" ? 409 : 200);
  },
  240_000,
);
