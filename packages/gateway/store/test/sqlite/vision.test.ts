import { randomBytes } from "node:crypto";
import { statSync } from "node:fs";
import { expect, test } from "vitest";
import {
  connectTo,
  newSession,
  openStoreOf,
  soon,
  temporaryFile,
  utf8,
} from "../temporary-database.ts";

const image = (bytes: number): string =>
  `data:image/png;base64,${randomBytes(bytes).toString("base64")}`;

test("a job of 200 vision rollouts takes at most 1.3 times its distinct bytes", async () => {
  const file = await temporaryFile();
  const store = await openStoreOf(file, { synchronous: "normal" });
  const distinct = new Map<string, number>();
  const add = (text: string): string => {
    distinct.set(text, Buffer.byteLength(text));
    return text;
  };
  // Each rollout sees one of ten tasks' pictures and two screens of its own, all again with each of its calls.
  const tasks = Array.from({ length: 10 }, () => add(image(150_000)));
  for (let rollout = 0; rollout < 200; rollout += 1) {
    const { row } = newSession(store);
    const seen = [tasks[rollout % tasks.length] ?? ""];
    for (let step = 1; step <= 3; step += 1) {
      if (step > 1) seen.push(add(image(25_000)));
      const small = `rollout ${rollout}, call ${step}`;
      const messages = JSON.stringify([small, ...seen]);
      add(small);
      await store.writeSteps([row(step, { job_id: "vision", messages: utf8(messages) })], soon());
    }
  }
  await store.close();
  connectTo(file).pragma("wal_checkpoint(truncate)");
  const bytes = [...distinct.values()].reduce((sum, each) => sum + each, 0);
  expect(bytes).toBeGreaterThan(14_000_000);
  expect(statSync(file).size).toBeLessThan(1.3 * bytes);
});
