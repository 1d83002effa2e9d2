import { askAgain, askTwice, branchOut, type DemoAgent, forkFrom } from "./demo-agents.ts";
import type { TestGateway } from "./start-gateway.ts";

const failure = "agent_failed: the command ended with exit code 1";
const atOnce = 8;

/**
 * Runs a job of simulations through the gateway, in groups of eight; each begins with an image. Of each
 * group, one agent branches out, one repeats what the route `flaky` failed to answer, and one continues the
 * first step of another. Some fail at the route `away`, which has no server, however often they ask.
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
  const agents = indexes.map((index) => ({ gateway, session_id: `${job_id}-${index}`, index }));
  await workThrough(
    agents.filter((agent) => !isForked(agent)),
    converse,
  );
  // A fork needs the record of the one that it continues.
  await workThrough(agents.filter(isForked), (agent) =>
    forkFrom(agent, `${job_id}-${agent.index - 1}`, agent.index - 1),
  );
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

const isForked = ({ index }: DemoAgent): boolean => index % 8 === 6 && !fails(index);

function converse(agent: DemoAgent): Promise<void> {
  if (fails(agent.index)) return askAgain(agent, "away");
  if (agent.index % 8 === 2) return askAgain(agent, "flaky");
  return agent.index % 8 === 4 ? branchOut(agent) : askTwice(agent, "demo");
}

async function workThrough(
  agents: readonly DemoAgent[],
  work: (agent: DemoAgent) => Promise<void>,
): Promise<void> {
  const left = [...agents];
  const each = async (): Promise<void> => {
    for (let agent = left.shift(); agent !== undefined; agent = left.shift()) await work(agent);
  };
  await Promise.all(Array.from({ length: atOnce }, each));
}
