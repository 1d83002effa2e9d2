import { setTimeout as delay } from "node:timers/promises";
import { startDemoUpstream, waitFor, within } from "@proj/test-kit";
import { startPostgresServer } from "@proj/test-kit/postgres";
import { describe, expect, test } from "vitest";
import type { GotStep } from "./agent.ts";
import { isWithoutHaproxy } from "./balancer.ts";
import { model, post, Site } from "./site.ts";
import { expectStoredOnce } from "./stored-steps.ts";

interface Load {
  readonly got: readonly GotStep[];
  /** The codes of all refusals. */
  readonly refused: readonly string[];
  /** Resolves when every caller has had its last answer. */
  end(): Promise<void>;
}

/** Eight callers: four keep one session, four begin a new one after every fifth step. */
function startLoad(url: string): Load {
  const got: GotStep[] = [];
  const refused: string[] = [];
  let isEnding = false;
  const caller = async (name: string, stepsOfSession: number): Promise<void> => {
    for (let number = 0; !isEnding; ) {
      const session_id = `${name}-${Math.floor(number / stepsOfSession)}`;
      const messages = [{ role: "user", content: `${name} asks ${number}` }];
      const body = { model, messages };
      const answer = await post(url, `/v1/sessions/${session_id}/chat/completions`, body);
      const text = await answer.text();
      if (answer.status === 200) {
        const step_id = Number(answer.headers.get("x-gateway-step-id"));
        got.push({ session_id, step_id, answer_id: JSON.parse(text).id });
        number += 1;
      } else {
        refused.push(codeOf(text));
        await delay(50);
      }
    }
  };
  const all = Promise.all(
    Array.from({ length: 8 }, (_, index) =>
      caller(`caller-${index}`, index < 4 ? Number.POSITIVE_INFINITY : 5),
    ),
  );
  // A test that has already failed does not wait for this.
  all.catch(() => {});
  return {
    got,
    refused,
    end: async () => {
      isEnding = true;
      await within(all, "the callers' last answers");
    },
  };
}

function codeOf(text: string): string {
  try {
    return JSON.parse(text).error.code;
  } catch {
    return text;
  }
}

describe.skipIf(isWithoutHaproxy).concurrent("the database restarts twice under load", () => {
  test("strict: requests fail closed meanwhile, and every answer is stored once", async () => {
    await using upstream = await startDemoUpstream({ delayMs: 10 });
    await using server = await startPostgresServer();
    await using site = await Site.start({
      ...{ upstreamUrl: upstream.url, db_url: server.url },
      config: "telemetry: { write_timeout_s: 1 }",
    });
    const load = startLoad(site.balancer.url);
    for (const round of [1, 2]) {
      const before = load.got.length;
      await waitFor(() => load.got.length > before + 60, `the answers of round ${round}`);
      const refusedBefore = load.refused.length;
      await server.stop();
      await waitFor(() => load.refused.length > refusedBefore + 10, "refusals");
      await untilBoth(site, "storage_unavailable");
      await server.start();
      await untilBoth(site, "ready");
    }
    const before = load.got.length;
    await waitFor(() => load.got.length > before + 60, "answers in the end");
    await load.end();
    // The first gateway to be ready has all sessions for a moment.
    const expected = new Set(["telemetry_unavailable", "session_moved"]);
    expect(load.refused.filter((code) => !expected.has(code))).toEqual([]);
    expectStoredOnce(load.got, await site.storedRows());
  });

  test("best effort: requests continue, and every answer is stored once the database is back", async () => {
    await using upstream = await startDemoUpstream({ delayMs: 20 });
    await using server = await startPostgresServer();
    await using site = await Site.start({
      ...{ upstreamUrl: upstream.url, db_url: server.url },
      config: "telemetry: { mode: best_effort }",
    });
    const load = startLoad(site.balancer.url);
    for (const round of [1, 2]) {
      const before = load.got.length;
      await waitFor(() => load.got.length > before + 60, `the answers of round ${round}`);
      await server.stop();
      await untilBoth(site, "storage_unavailable");
      const atStop = load.got.length;
      await waitFor(() => load.got.length > atStop + 100, "answers without storage");
      await server.start();
      await untilBoth(site, "ready");
    }
    await load.end();
    expect(load.refused).toEqual([]);
    const count = async () => (await site.storedRows()).length >= load.got.length;
    await waitFor(count, "all rows to be written");
    const rows = await site.storedRows();
    expect(rows).toHaveLength(load.got.length);
    expect(new Set(rows.map(({ answer_id }) => answer_id)).size).toBe(rows.length);
    expectStoredOnce(load.got, rows);
  });
});

async function untilBoth(site: Site, status: string): Promise<void> {
  for (const { url } of [site.first, site.second]) {
    const isSo = async (): Promise<boolean> => {
      const answer = await fetch(`${url}/readyz`);
      return ((await answer.json()) as { status: string }).status === status;
    };
    await waitFor(isSo, `${url} to be ${status}`);
  }
}
