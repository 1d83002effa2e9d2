import type { SampleStore, Turn } from "./sample-store.ts";

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const script =
  '<script>document.title="hacked";window.hacked=1</script><img src=x onerror="window.hacked=1">';

/** Everything that an agent could write to harm a reader. */
export async function writeHostileSession(sample: SampleStore, session_id: string): Promise<void> {
  const deep = `${'{"a":['.repeat(50_000)}${"]}".repeat(50_000)}`;
  const said = (content: unknown): Turn => ({
    added: [{ role: "user", content }],
    answer: { role: "assistant", content: script },
  });
  const answered = (response: string): Turn => ({
    ...said("More."),
    changes: { response: utf8(response) },
  });
  await sample.converse(session_id, [
    said(`${script} \u001b[31mred\u001b[0m \u202egnp.exe`),
    said([{ type: "image_url", image_url: { url: "https://tracker.example/pixel.png" } }]),
    answered(`{"choices":[{"message":{"role":"assistant","content":${deep}}}]}`),
    answered("this is not JSON"),
    answered(
      JSON.stringify({
        choices: [{ message: { role: "assistant", content: script.repeat(110_000) } }],
      }),
    ),
  ]);
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
