import type { TestGateway } from "../start-gateway.ts";

const pixel =
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const image = { type: "image_url", image_url: { url: pixel } };
const failure = "agent_failed: the command ended with exit code 1";
const atOnce = 8;

/**
 * Runs a job of simulations through the gateway: sessions of two steps with an image, in groups of
 * eight. Some fail at the route `away`, which has no server.
 */
export async function runDemoJob(
  gateway: TestGateway,
  job_id: string,
  simulations: number,
): Promise<void> {
  const indexes = Array.from({ length: simulations }, (_, index) => index);
  gateway.database((database) => {
    const insert = database.prepare(
      `insert into job_environments (session_id, job_id, simulation_id, attempt, group_id, status, created_at, started_at)
       values (?, ?, ?, 1, ?, 'running', ?, ?)`,
    );
    const now = new Date().toISOString();
    const insertAll = database.transaction(() => {
      for (const index of indexes) {
        const [group, member] = [Math.floor(index / 8), index % 8];
        const simulation_id = `task-${group}-${member}`;
        insert.run(`${job_id}-${index}`, job_id, simulation_id, `task-${group}`, now, now);
      }
    });
    insertAll();
  });
  const left = indexes.toReversed();
  const work = async (): Promise<void> => {
    for (let index = left.pop(); index !== undefined; index = left.pop())
      await converse(gateway, `${job_id}-${index}`, index);
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  gateway.database((database) => {
    const end = database.prepare(
      "update job_environments set status = ?, reward = ?, error = ?, finished_at = ? where session_id = ?",
    );
    const now = new Date().toISOString();
    const endAll = database.transaction(() => {
      for (const index of indexes) {
        const isFailed = fails(index);
        const outcome = isFailed ? ["failed", null, failure] : ["finished", (index % 5) / 4, null];
        end.run(...outcome, now, `${job_id}-${index}`);
      }
    });
    endAll();
  });
}

const fails = (index: number): boolean => index % 11 === 10;

async function converse(gateway: TestGateway, session_id: string, index: number): Promise<void> {
  const ask = async (model: string, messages: object[]): Promise<object> => {
    const path = `/v1/sessions/${session_id}/chat/completions`;
    const response = await gateway.post(path, { model, messages });
    const body = (await response.json()) as { choices?: readonly { message: object }[] };
    return body.choices?.[0]?.message ?? {};
  };
  const user = (content: unknown): object => ({ role: "user", content });
  const first = [user([{ type: "text", text: `What is ${index} + 1?` }, image])];
  const answered = [...first, await ask("demo", first)];
  const model = fails(index) ? "away" : "demo";
  await ask(model, [...answered, user(`What is ${index} + 2?`)]);
}
