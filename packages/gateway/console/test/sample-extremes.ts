import type { SampleJob, SampleStore, Turn } from "./sample-store.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const script =
  '<script>document.title="hacked";window.hacked=1</script><img src=x onerror="window.hacked=1">';

/** A name that an agent could give to anything: a script, a terminal escape, and a mark that turns text. */
export const hostileName = "<script>window.hacked=1</script>\u001b[31m\u202egnp.exe";

/** A job whose only session does everything that could harm a reader. */
export async function writeHostileJob(sample: SampleStore, session_id: string): Promise<void> {
  const job = { job_id: `job ${hostileName}`, group_id: `group ${hostileName}` };
  await writeHostileSession(sample, session_id, job);
  sample.attempt({
    ...{ ...job, session_id, simulation_id: `simulation ${hostileName}`, status: "failed" },
    ...{ reward: null, error: `code ${hostileName}: ${hostileName}` },
  });
}

/** Steps 1 to 5 have hostile texts and sizes, steps 6 to 9 hostile names, step 10 nests deep in every part. */
export async function writeHostileSession(
  sample: SampleStore,
  session_id: string,
  job?: SampleJob,
): Promise<void> {
  const deep = `${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}`;
  const shallow = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const said = (content: unknown): Turn => ({
    added: [{ role: "user", content }],
    answer: { role: "assistant", content: script },
  });
  const answered = (response: string): Turn => ({
    ...said("More."),
    changes: { response: utf8(response) },
  });
  const called = (name: string, given: string): object => ({
    role: "assistant",
    content: null,
    tool_calls: [{ id: "call_1", type: "function", function: { name, arguments: given } }],
  });
  const named: Turn = { ...said("Go on."), from: null };
  const cited = { type: "url_citation", url_citation: { title: hostileName, url: hostileName } };
  const turns: Turn[] = [
    said(`${script} \u001b[31mred\u001b[0m \u202egnp.exe`),
    said([{ type: "image_url", image_url: { url: "https://tracker.example/pixel.png" } }]),
    answered(`{"choices":[{"message":{"role":"assistant","content":${deep}}}]}`),
    answered("this is not JSON"),
    answered(
      JSON.stringify({
        choices: [{ message: { role: "assistant", content: script.repeat(110_000) } }],
      }),
    ),
    {
      ...named,
      answer: called(hostileName, JSON.stringify({ path: hostileName })),
      changes: { model: hostileName },
      meta: { agent: { id: hostileName, kind: hostileName }, finish_reason: hostileName },
    },
    { ...named, meta: { side_call: hostileName, weight_version: hostileName } },
    { ...named, meta: { replayed_from: { session_id: hostileName, step_id: 1 } } },
    { ...named, answer: null, meta: { error: hostileName, outcome: hostileName } },
    {
      ...named,
      answer: { ...called("dig", shallow), annotations: [cited] },
      changes: { messages: utf8(`[{"role":"user","content":${shallow}}]`) },
    },
  ];
  await sample.converse(session_id, turns, job);
}

/** More steps than anybody reads. */
export async function writeLongSession(
  sample: SampleStore,
  session_id: string,
  steps: number,
): Promise<void> {
  const turns = Array.from({ length: steps }, (_, index): Turn => {
    const step = index + 1;
    const content = `Turn ${step} is done.`;
    return {
      added:
        index === 0
          ? [{ role: "user", content: "Go on until I say stop." }]
          : [
              { role: "assistant", content: `Turn ${index} is done.` },
              { role: "user", content: "Go on." },
            ],
      answer: { role: "assistant", content },
    };
  });
  await sample.converse(session_id, turns);
}
