import { describe, expect, it } from "vitest";
import {
  createCall,
  deadOrigin,
  failureOf,
  listenHttp,
  listenSwitched,
  readText,
  type Upstreams,
  upstreamsTo,
} from "./upstream-fixture.ts";

const answer = (): Promise<string> => listenHttp((_request, response) => void response.end("ok"));

async function replicaOf(upstreams: Upstreams, session_id?: string): Promise<string | undefined> {
  const call = createCall(session_id === undefined ? {} : { session_id });
  const answered = await upstreams.forward(call);
  await readText(answered);
  return answered.upstream?.replica;
}

const sessions = Array.from({ length: 12 }, (_, index) => `session-${index}`);

describe("a route with replicas", () => {
  it("keeps a session on one replica, even after a restart, and uses all", async () => {
    const origins = [await answer(), await answer(), await answer()];
    const first = upstreamsTo(origins);
    const second = upstreamsTo(origins);
    const used = new Set<string | undefined>();
    for (let index = 0; index < 60; index += 1) {
      const replica = await replicaOf(first, `session-${index}`);
      expect(await replicaOf(second, `session-${index}`)).toBe(replica);
      used.add(replica);
    }
    expect(used).toEqual(new Set(origins));
  });

  it("spreads calls without a session evenly", async () => {
    const origins = [await answer(), await answer(), await answer()];
    const upstreams = upstreamsTo(origins);
    const replicas = await Promise.all(Array.from({ length: 30 }, () => replicaOf(upstreams)));
    for (const origin of origins)
      expect(replicas.filter((replica) => replica === origin)).toHaveLength(10);
  });

  it("retries a lost connection on the next one, at once", async () => {
    const dead = deadOrigin;
    const alive = await answer();
    const upstreams = upstreamsTo([dead, alive], { route: { retries: 1 }, now: () => 0 });
    for (const session of sessions) expect(await replicaOf(upstreams, session)).toBe(alive);
    expect(upstreams.replicas()).toMatchObject([
      { replica: dead, ejected: true, in_flight: 0 },
      { replica: alive, ejected: false, in_flight: 0 },
    ]);
  });

  it("retries an answer of 503 on the same one, and does not eject it", async () => {
    const origins = [1, 2].map(() =>
      listenHttp((_request, response) => {
        response.writeHead(503, { "retry-after-ms": "0" }).end();
      }),
    );
    const upstreams = upstreamsTo(await Promise.all(origins), { route: { retries: 3 } });
    const [session = ""] = sessions;
    const replica = await replicaOf(upstreams, session);
    for (let turn = 0; turn < 5; turn += 1)
      expect(await replicaOf(upstreams, session)).toBe(replica);
    expect(upstreams.replicas().some(({ ejected }) => ejected)).toBe(false);
  });

  it("readmits an ejected one after its trial", async () => {
    let now = 0;
    const server = await listenSwitched();
    const other = await answer();
    const upstreams = upstreamsTo([server.origin, other], {
      route: { retries: 1 },
      now: () => now,
    });
    let own = "";
    for (const session of sessions)
      if ((await replicaOf(upstreams, session)) === server.origin) own = session;

    server.down = true;
    for (let turn = 0; turn < 3; turn += 1) expect(await replicaOf(upstreams, own)).toBe(other);
    expect(upstreams.replicas()).toMatchObject([{ ejected: true }, { ejected: false }]);

    server.down = false;
    expect(await replicaOf(upstreams, own)).toBe(other);
    now += 10_000;
    expect(await replicaOf(upstreams, own)).toBe(server.origin);
    expect(upstreams.replicas()).toMatchObject([{ ejected: false }, { ejected: false }]);
  });

  it("tries all if none is healthy", async () => {
    const server = await listenSwitched();
    server.down = true;
    const upstreams = upstreamsTo([server.origin, deadOrigin], {
      route: { retries: 1 },
      now: () => 0,
    });
    for (let turn = 0; turn < 3; turn += 1) {
      const { code } = await failureOf(upstreams.forward(createCall()));
      expect(code).toBe("upstream_unreachable");
    }
    expect(upstreams.replicas()).toMatchObject([{ ejected: true }, { ejected: true }]);
    server.down = false;
    expect(await replicaOf(upstreams)).toBe(server.origin);
    expect(upstreams.replicas()).toMatchObject([{ ejected: false }, { ejected: true }]);
  });
});
