import { setTimeout as delay } from "node:timers/promises";
import { startDemoUpstream, temporaryFolder, waitFor } from "@proj/test-kit";
import { GatewayProcess } from "./gateway-process.ts";
import {
  countShared,
  databaseFile,
  holesOf,
  integrityAfterKill,
  readRows,
  repeated,
  type StoredRow,
  stepKey,
} from "./stored-rows.ts";
import type { Storm } from "./storm.ts";

const sessions = 12;
const maxHistory = 192 * 1024;
const answersBetweenKills = 80;

interface Answered {
  readonly session_id: string;
  readonly model: string;
  readonly step_id: number;
  readonly messages: string;
  /** A plain answer's body, or the text of a stream's deltas. */
  readonly text: string;
  readonly isStream: boolean;
}

/** Repeatedly kills the gateway under sessions with long histories; every byte that a caller received is stored. */
export const killStorm: Storm = {
  name: "kill",
  reasonMissing: () => null,
  run: async ({ kills }, report) => {
    await using folder = await temporaryFolder();
    await using copies = await temporaryFolder();
    await using upstream = await startDemoUpstream({ delayMs: 2 });
    await using gateway = await GatewayProcess.start(folder.path, {
      storage_config: { db_url: `sqlite://${databaseFile}` },
      llm_routes: { policy: { base_url: upstream.url } },
    });
    const answered: Answered[] = [];
    const ending = new AbortController();
    const refused: number[] = [];
    const callers = Promise.all(
      Array.from({ length: sessions }, (_, number) =>
        call(gateway.url, number, ending.signal, answered, refused),
      ),
    );
    const unsound: unknown[] = [];
    for (let kill = 0; kill < kills; kill += 1) {
      const before = answered.length;
      await waitFor(() => answered.length >= before + answersBetweenKills, "answers", 120_000);
      await delay((kill * 37) % 100);
      await gateway.kill();
      const integrity = await integrityAfterKill(folder.path, copies.path);
      if (integrity !== "ok") unsound.push(integrity);
      await gateway.restart();
    }
    const before = answered.length;
    await waitFor(() => answered.length >= before + answersBetweenKills, "answers", 120_000);
    ending.abort();
    await callers;
    report.equal("every gauge is at zero", await gateway.atRest(), {});
    report.equal("SIGTERM ends it with 0", await gateway.stop(), 0);

    const { rows, integrity } = readRows(folder.path);
    const stored = new Map(rows.map((row) => [stepKey(row), row]));
    report.none("the database is sound after every kill", unsound);
    report.equal("and at the end", integrity, "ok");
    report.none("no answer has the number of another", repeated(answered.map(stepKey)));
    report.none("no step has two rows", repeated(rows.map(stepKey)));
    report.none("no request_id comes twice", repeated(rows.map(({ request_id }) => request_id)));
    const missing = answered.filter((it) => stored.get(stepKey(it))?.status_code !== 200);
    report.none("every answer is stored as a success", missing.map(stepKey));
    const differing = (isSame: (it: Answered, row: StoredRow) => boolean): string[] =>
      answered
        .filter((it) => {
          const row = stored.get(stepKey(it));
          return row !== undefined && !isSame(it, row);
        })
        .map(stepKey);
    report.none(
      "messages are stored byte for byte",
      differing(({ messages }, row) => row.messages === messages),
    );
    report.none(
      "plain answers are stored byte for byte",
      differing(({ isStream, text }, row) => isStream || row.response === text),
    );
    report.none(
      "streams are stored as what was streamed",
      differing(
        ({ isStream, text }, row) =>
          !isStream || JSON.parse(row.response ?? "{}").choices[0].message.content === text,
      ),
    );
    const shared = countShared(folder.path);
    report.equal("histories were shared", shared > rows.length / 4, true);
    report.figure("kills", kills);
    report.figure("answers", answered.length);
    report.figure("rows", rows.length);
    report.figure("on an earlier row", shared);
    report.figure("doubles", rows.length - stored.size);
    report.figure("numbers of steps that were cut off", holesOf(rows).holes.length);
    report.figure("refused or cut off", refused.length);
    const longest = Math.max(...answered.map(({ messages }) => messages.length));
    report.figure("longest history in KB", Math.round(longest / 1024));
  },
};

/** One agent: its history grows, is edited, and is cut. It repeats failed steps. */
async function call(
  url: string,
  number: number,
  signal: AbortSignal,
  answered: Answered[],
  refused: number[],
): Promise<void> {
  const session_id = `kill-${number}`;
  let history: { readonly role: string; readonly content: string }[] = [];
  for (let turn = 0; !signal.aborted; turn += 1) {
    const content = `${number} asks ${turn}. ${'Ünïcode \\ and "quotes" '.repeat(10 + (turn % 7) * 30)}`;
    history = [...history, { role: "user", content }];
    if (turn % 11 === 10)
      history = history.with(history.length >> 1, { role: "user", content: "edited" });
    if (JSON.stringify(history).length > maxHistory || turn % 53 === 52)
      history = history.slice(0, 3);
    const isStream = turn % 2 === 1;
    const answer = await step(url, session_id, history, isStream).catch(() => null);
    if (answer === null) {
      refused.push(turn);
      await delay(100);
      continue;
    }
    answered.push(answer);
    history = [...history, { role: "assistant", content: `said ${turn}` }];
  }
}

/** @throws Error there was no complete success */
async function step(
  url: string,
  session_id: string,
  history: readonly object[],
  stream: boolean,
): Promise<Answered> {
  const response = await fetch(`${url}/v1/sessions/${session_id}/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ model: "policy", stream, messages: history }),
  });
  const text = await response.text();
  if (response.status !== 200 || (stream && !text.endsWith("data: [DONE]\n\n")))
    throw new Error(`${response.status}`);
  return {
    ...{ session_id, model: "policy", messages: JSON.stringify(history), isStream: stream },
    step_id: Number(response.headers.get("x-gateway-step-id")),
    text: stream ? streamedText(text) : text,
  };
}

function streamedText(events: string): string {
  return events
    .split("\n\n")
    .filter((event) => event.startsWith("data: {"))
    .map((event) => JSON.parse(event.slice("data: ".length)).choices[0]?.delta.content ?? "")
    .join("");
}
