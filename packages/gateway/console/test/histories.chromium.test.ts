import { isLeftOutWithoutChromium } from "@proj/test-kit/chromium";
import { describe, expect, test } from "vitest";
import { copiedStep, viewCopy } from "./viewed-console.ts";

const isSkipped = isLeftOutWithoutChromium("histories that requests name, in a browser");

const user = (content: string): object => ({ role: "user", content });
const returned = (output: string): object => ({
  type: "function_call_output",
  call_id: "call_1",
  output,
});
const said = (text: string): object => ({
  type: "message",
  role: "assistant",
  content: [{ type: "output_text", text }],
});
const looks = { type: "function_call", call_id: "call_1", name: "look", arguments: '{"at":"it"}' };

interface Told {
  readonly endpoint?: string;
  readonly output: readonly object[];
  readonly meta?: object;
  /** Ids of the whole prompt, and of the answer. */
  readonly ids?: readonly [readonly number[], readonly number[]];
}

function stepOf(session_id: string, step_id: number, messages: readonly object[], told: Told) {
  const { endpoint = "responses", output, meta, ids } = told;
  const content = endpoint === "messages" ? { role: "assistant", content: output } : { output };
  const engine = ids && {
    prompt: { continues: null, ids: ids[0] },
    token_ids: ids[1],
    logprobs: ids[1].map(() => -0.5),
  };
  return {
    ...copiedStep(session_id, step_id, messages),
    meta_json: JSON.stringify({ endpoint, outcome: "completed", ...meta }),
    request: JSON.stringify({ model: "policy" }),
    response: JSON.stringify({ id: `answer_${step_id}`, ...content, engine }),
  };
}

const naming = (session_id: string, step_id: number, by = "previous_response_id") => ({
  continues: { request_id: `${session_id}-${step_id}`, by, id: `answer_${step_id}` },
});
const fork = { output: [said("A window.")], meta: naming("named", 1) };

/** A chain whose first answer is continued twice, a thread, and an answer that no row has. */
const steps = [
  stepOf("named", 1, [user("look around")], { output: [looks], ids: [[1, 2], [3]] }),
  stepOf("named", 2, [returned("a door")], {
    output: [said("A door.")],
    meta: { ...naming("named", 1), history: "served" },
    ids: [
      [1, 2, 3, 4],
      [5, 6],
    ],
  }),
  stepOf("named", 3, [user("and now?")], {
    output: [said("Still a door.")],
    meta: naming("named", 2),
    // The answer came back in other tokens.
    ids: [[1, 2, 3, 4, 8, 9], [7]],
  }),
  stepOf("named", 4, [returned("a window")], fork),
  stepOf("named", 5, [user("who are you?")], {
    output: [said("Nobody knows.")],
    meta: { continues: { request_id: null, by: "conversation", id: "conv_x" }, history: "partial" },
  }),
  stepOf("thread", 1, [user("look around")], { endpoint: "messages", output: [] }),
  stepOf("thread", 2, [user("and now?")], {
    ...{ endpoint: "messages", meta: naming("thread", 1, "thread") },
    output: [
      { type: "compaction", content: "So far: a door was found." },
      { type: "text", text: "I go on." },
    ],
  }),
];

const long = (name: string): object => user(`${name} ${"very ".repeat(400)}long`);
const asked = (request_kind: string) => ({ agent: { request_kind } });
/** An agent that asks for a summary, and goes on with it; another asks the API. */
const compacted = [
  stepOf("codex", 1, [user("begin"), long("one")], { output: [said("1")], meta: asked("turn") }),
  stepOf("codex", 2, [user("begin"), long("one"), user("Summarise.")], {
    ...{ output: [said("one was long")], meta: asked("compaction") },
  }),
  stepOf("codex", 3, [user("begin"), user("So far: one was long")], {
    ...{ output: [said("3")], meta: asked("turn") },
  }),
  stepOf("api", 1, [user("begin"), long("one")], { output: [said("1")] }),
  stepOf("api", 2, [user("begin"), long("one"), said("1")], {
    ...{
      endpoint: "compact",
      output: [{ type: "compaction", encrypted_content: "x".repeat(900) }],
    },
  }),
  stepOf("api", 3, [{ type: "compaction", encrypted_content: "x".repeat(900) }, user("go on")], {
    output: [said("3")],
  }),
];

describe.skipIf(isSkipped)("histories in Chromium", () => {
  test("a named history is a history, and a compaction is a compaction", async () => {
    await using console = await viewCopy((copy) => {
      for (const step of [...steps, ...compacted]) copy.addStep(step);
    });
    const page = await console.open("#/sessions/named");
    const card = (step: number) => page.getByRole("article", { name: `Step ${step}` });
    const lineOf = (step: number) => card(step).locator(".prefix").allTextContents();
    await card(1).getByText("look around").waitFor();
    expect(await lineOf(1)).toEqual([]);
    expect(await lineOf(2)).toEqual([
      "Continues the response of step 1: the gateway sent the whole history",
    ]);
    expect(await card(2).getByText("look returns").count()).toBe(1);
    expect(await card(2).locator(".message").count()).toBe(2);
    expect(await lineOf(3)).toEqual(["Continues the response of step 2"]);
    expect(await lineOf(4)).toEqual(["Continues the response of step 1"]);
    await card(5).scrollIntoViewIfNeeded();
    expect(await lineOf(5)).toEqual(["Earlier messages are in no row of this session"]);
    const branches = page.getByRole("navigation", { name: "Branches" }).locator("ul a");
    expect(await branches.allTextContents()).toEqual([
      expect.stringContaining("Main 3 calls"),
      expect.stringContaining("Fork 1 call, after step 1"),
      expect.stringContaining("Another conversation 1 call"),
    ]);

    await page.getByRole("link", { name: "Tokens" }).click();
    const second = page.getByRole("region", { name: "Sequence 2" });
    await second.getByText("policy/3").first().waitFor();
    // Not compacted, although its request has fewer messages than the one before.
    expect(await second.textContent()).toMatch(/retokenized.*compared with policy\/2/);
    await page.getByText("1 step with earlier messages that are in no row").waitFor();

    await page.goto(`${console.url}#/sessions/thread`);
    await page.getByText("Continues the message thread of step 1").waitFor();
    await page.getByText("compaction, in place of all before it").click();
    await page.getByText("So far: a door was found.").last().waitFor();

    for (const session of ["codex", "api"]) {
      await page.goto(`${console.url}#/sessions/${session}`);
      await page.getByText(/^History compacted by step 2: .* instead of /).waitFor();
      expect(await branches.allTextContents()).not.toContainEqual(
        expect.stringMatching(/Fork|Another/),
      );
    }
    await page.getByText("encrypted, 900 B").first().waitFor();
    expect(console.complaints).toEqual([]);
  });
});
