import { expect, test } from "vitest";
import { exportFormats, exportRollouts } from "../../src/index.ts";
import { type Content, playJob, question } from "./played-job.ts";

// An agent of Google's API: its turns, calls and results are exported as those of any other.

const parameters = { type: "OBJECT", properties: { where: { type: "STRING" } } };
const shown = {
  systemInstruction: { parts: [{ text: "be brief" }] },
  tools: [{ functionDeclarations: [{ name: "look", description: "Looks.", parameters }] }],
};

async function lookAround(
  ask: (contents: readonly object[]) => Promise<Content | undefined>,
): Promise<void> {
  const contents: object[] = [{ role: "user", parts: [{ text: question.content }] }];
  for (;;) {
    const said = await ask(contents);
    const name = said?.parts.at(-1)?.functionCall?.name;
    if (said === undefined || name === undefined) return;
    const functionResponse = { name, response: { output: "a door" } };
    contents.push(said, { role: "user", parts: [{ functionResponse }] });
  }
}

test("a rollout over Google's API is exported with its calls and results", async () => {
  await using job = await playJob({
    gemini: {
      ...{ group_id: null, reward: 1 },
      play: (ask) =>
        lookAround(async (contents) => {
          const answer = await ask("models/policy:generateContent", { ...shown, contents });
          return answer.candidates?.[0]?.content;
        }),
    },
  });
  expect(job).toMatchObject({ finished: 1, failed: 0 });
  const lines = async (name: string) => {
    const format = exportFormats.find((each) => each.name === name);
    if (format === undefined) throw new Error(`there is no format ${name}`);
    const all = [];
    for await (const line of exportRollouts(job.store, { job_id: job.job_id, format }))
      all.push(JSON.parse(line));
    return all;
  };
  const call = { function: { name: "look", arguments: expect.stringContaining("where") } };
  const round = [{ role: "assistant", tool_calls: [call] }, { role: "tool" }];
  const last = { role: "assistant", content: "After 3 tool calls: 19 + 23 = 42" };
  expect(await lines("openai-finetuning")).toMatchObject([
    {
      messages: [
        { role: "system", content: "be brief" },
        question,
        ...round,
        ...round,
        ...round,
        last,
      ],
    },
  ]);
  const [trajectory, ...others] = await lines("atif");
  expect(others).toEqual([]);
  expect(trajectory.subagent_trajectories).toBeUndefined();
  expect(trajectory.steps.at(-1)).toMatchObject({ source: "agent", message: last.content });
});
