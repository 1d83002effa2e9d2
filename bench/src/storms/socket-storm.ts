import { join } from "node:path";
import { openJobReader } from "@proj/session-store";
import { sessionSteps, type WholeStep } from "@proj/session-store/answers";
import { startDemoUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { GatewayProcess } from "./gateway-process.ts";
import { SocketAgent } from "./socket-agent.ts";
import { databaseFile, integrityAfterKill, readRows, repeated, stepKey } from "./stored-rows.ts";
import type { Storm } from "./storm.ts";

const sessions = 6;
const lanes = 3;
const answersBetweenKills = 60;
const maxWaitMs = 120_000;

/**
 * Kills the gateway in the middle of frames. Its callers name answers that they got before, also from before the kill,
 * over an upstream that keeps nothing.
 */
export const socketStorm: Storm = {
  name: "socket",
  reasonMissing: () => null,
  run: async ({ kills }, report) => {
    await using folder = await temporaryFolder();
    await using copies = await temporaryFolder();
    await using upstream = await startDemoUpstream({ tokenDelayMs: 1 });
    const db_url = `sqlite://${join(folder.path, databaseFile)}`;
    await using gateway = await GatewayProcess.start(folder.path, {
      storage_config: { db_url },
      llm_routes: { policy: { base_url: upstream.url, endpoints: ["responses"] } },
    });
    const agents = Array.from(
      { length: sessions },
      (_, number) => new SocketAgent(gateway.url, number, lanes),
    );
    const answered = () => agents.flatMap(({ answers }) => answers);
    const ending = new AbortController();
    const work = Promise.all(agents.map((agent) => agent.run(ending.signal)));
    const moreAnswers = async (): Promise<void> => {
      const before = answered().length;
      await waitFor(() => answered().length >= before + answersBetweenKills, "answers", maxWaitMs);
    };
    const unsound: unknown[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      await moreAnswers();
      await waitFor(() => agents.some(({ isInFrames }) => isInFrames), "frames", maxWaitMs);
      await gateway.kill();
      const integrity = await integrityAfterKill(folder.path, copies.path);
      if (integrity !== "ok") unsound.push(integrity);
      await gateway.restart();
    }
    await moreAnswers();
    ending.abort();
    await work;
    report.equal("every gauge is at zero", await gateway.atRest(), {});
    report.equal("SIGTERM ends it with 0", await gateway.stop(), 0);

    const { rows, integrity } = readRows(folder.path);
    const steps = await stepsOf(db_url, agents);
    const answers = answered();
    report.none("the database is sound after every kill", unsound);
    report.equal("and at the end", integrity, "ok");
    report.none("no step has two rows", repeated(rows.map(stepKey)));
    report.none("no request_id comes twice", repeated(rows.map(({ request_id }) => request_id)));
    report.none("no answer has two rows", repeated(steps.map(idOf)));
    const byId = new Map(steps.map((step) => [idOf(step), step]));
    const wrong = (isRight: (step: WholeStep | undefined, at: number) => boolean): string[] =>
      answers.filter(({ id }, at) => !isRight(byId.get(id), at)).map(({ id }) => id);
    report.none(
      "every answer is stored as what its frames said",
      wrong((step, at) => textsIn(outputOf(step)).join("") === answers[at]?.text),
    );
    report.none(
      "its row has the whole conversation",
      wrong((step, at) => isSame(textsIn(JSON.parse(step?.messages ?? "[]")), answers[at]?.shown)),
    );
    const asked = upstream.requests.map(({ body }) => textsIn(JSON.parse(String(body)).input));
    const shown = new Set(asked.map((texts) => JSON.stringify(texts)));
    report.none(
      "and the model was shown it",
      wrong((_, at) => shown.has(JSON.stringify(answers[at]?.shown))),
    );
    report.none(
      "no frame asked the model twice",
      repeated(asked.map((texts) => `${texts.at(-1)}`)),
    );
    const cut = agents.reduce((sum, agent) => sum + agent.cut, 0);
    report.equal("kills fell into frames", cut >= kills, true);
    report.figure("kills", kills);
    report.figure("answers", answers.length);
    report.figure("rows", rows.length);
    report.figure("cut off in the middle of frames", cut);
    report.figure(
      "longest conversation",
      Math.max(...answers.map((answer) => answer.shown.length)),
    );
  },
};

/** Successes, with the whole conversation of each. */
async function stepsOf(db_url: string, agents: readonly SocketAgent[]): Promise<WholeStep[]> {
  const store = await openJobReader({ storage_type: "sqlite", storage_config: { db_url } });
  const found: WholeStep[] = [];
  try {
    for (const { session_id } of agents)
      for await (const step of sessionSteps(store, session_id))
        if (step.status_code === 200) found.push(step);
    return found;
  } finally {
    await store.close();
  }
}

const idOf = ({ response }: WholeStep): string => JSON.parse(response ?? "{}").id;
const outputOf = (step: WholeStep | undefined): unknown =>
  JSON.parse(step?.response ?? "{}").output ?? [];

interface Item {
  readonly content: string | readonly { readonly text: string }[];
}

function textsIn(items: unknown): string[] {
  const list: readonly Item[] = Array.isArray(items) ? items : [{ content: String(items) }];
  return list.map(({ content }) =>
    typeof content === "string" ? content : content.map(({ text }) => text).join(""),
  );
}

const isSame = (texts: readonly string[], expected: readonly string[] | undefined): boolean =>
  JSON.stringify(texts) === JSON.stringify(expected);
