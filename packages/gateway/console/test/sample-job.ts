import { pixel, type SampleStore, type Turn } from "./sample-store.ts";
import { sampledTurns } from "./sample-tokens.ts";

const text = (role: string, content: unknown): object => ({ role, content });
/** Of each call, in nano-dollars. */
const cost_nano_usd = 412_500;

const call = (id: string, name: string, given: object): object => ({
  role: "assistant",
  content: null,
  tool_calls: [{ id, type: "function", function: { name, arguments: JSON.stringify(given) } }],
});
const result = (id: string, content: string): object => ({
  role: "tool",
  tool_call_id: id,
  content,
});

/** How an agent works: straight away, after a look around, or with a different edit. */
type Manner = "direct" | "careful" | "other";

/** An agent that looks, repairs and retries, with an image and some thinking. */
export function repairTurns(task: string, manner: Manner = "direct"): Turn[] {
  const listing = call("call_1", "bash", { command: "ls -la src && npm test" });
  const search = call("call_3", "grep", { pattern: "<= 60" });
  const old = manner === "other" ? "minute <= 60" : "<=";
  const edit = call("call_2", "edit", { path: "src/clock.ts", old, new: "<" });
  const look: Turn = {
    added: [search, result("call_3", "src/clock.ts:14")],
    answer: search,
    meta: { finish_reason: "tool_calls" },
  };
  return [
    {
      added: [
        text("system", "You fix code. Run the tests before and after each change."),
        text("user", [
          { type: "text", text: task },
          { type: "image_url", image_url: { url: pixel } },
        ]),
      ],
      answer: { ...listing, reasoning_content: "First I need to see which test fails, and how." },
      meta: { finish_reason: "tool_calls" },
    },
    ...(manner === "careful" ? [look] : []),
    {
      added: [
        listing,
        result("call_1", "FAIL test/clock.test.ts\n  expected 0 to be 60\n  at clock.test.ts:14:5"),
      ],
      answer: {
        ...edit,
        content: "The bound is off by one: `minute <= 60` lets the sixtieth through.",
      },
      meta: { finish_reason: "tool_calls", queue_ms: 300 },
    },
    { added: [edit, result("call_2", "1 replacement")], answer: null },
    {
      added: [],
      answer: {
        role: "assistant",
        content: "All 14 tests pass. The clock now turns over at sixty.",
        annotations: [
          {
            type: "url_citation",
            url_citation: { title: "RFC 3339", url: "https://www.rfc-editor.org/rfc/rfc3339" },
          },
        ],
      },
      meta: { retry_of: manner === "careful" ? 4 : 3 },
    },
  ];
}

/** A side call for a title, a subagent with its own subagent, and two continuations of one step. */
export function branchingTurns(task: string): Turn[] {
  const [first, second] = repairTurns(task);
  if (first === undefined || second === undefined) return [];
  const explorer = { agent: { id: "agent-7f3a", kind: "explore" } };
  const answered = (content: string): object => ({ role: "assistant", content });
  const search = call("call_9", "grep", { pattern: "sixtieth", path: "." });
  const asked = answered("Shall I change the test or the clock?");
  return [
    first,
    {
      added: [text("system", "Write a title of three words."), text("user", task)],
      answer: answered("Fixing the clock"),
      from: null,
      meta: { side_call: "title" },
    },
    {
      added: [text("system", "You look for things."), text("user", "Where is the sixtieth made?")],
      answer: search,
      from: null,
      meta: explorer,
    },
    {
      added: [search, result("call_9", "src/clock.ts:14: // the sixtieth minute")],
      answer: answered("In src/clock.ts, line 14."),
      meta: explorer,
    },
    {
      added: [text("system", "You read one file."), text("user", "Read src/clock.ts.")],
      answer: answered("It compares with <=."),
      from: null,
      meta: { agent: { id: "agent-91c0", kind: "read", parent: "agent-7f3a" } },
    },
    { ...second, from: 0, answer: asked },
    {
      added: [asked, text("user", "The clock, please.")],
      answer: answered("The clock is fixed."),
    },
    {
      added: [asked, text("user", "The test, please.")],
      answer: answered("The test now expects sixty, as the clock shows it."),
      from: 5,
    },
  ];
}

/** An agent that summarises its history instead of repeating it, and refuses in the end. */
function summarisingTurns(task: string): Turn[] {
  const [first, second] = repairTurns(task);
  if (first === undefined || second === undefined) return [];
  const summary = "So far: the clock shows 60 where it should turn over.";
  return [
    first,
    second,
    {
      added: [text("assistant", summary), text("user", "Push it to main, without a test.")],
      keeps: 2,
      answer: { role: "assistant", content: null, refusal: "I do not push without a test." },
    },
  ];
}

/** What the agent of a simulation does. Its first step may come from the record of another session. */
function turnsOf(member: number, task: string, sibling: string): Turn[] {
  if (member === 4) return branchingTurns(task);
  if (member === 6) return sampledTurns();
  if (member === 7) return summarisingTurns(task);
  const manner = (["direct", "careful", "other"] as const)[member % 3];
  const [first, ...rest] = repairTurns(task, manner);
  if (member !== 5 || first === undefined) return repairTurns(task, manner);
  const replayed_from = { session_id: sibling, step_id: 1 };
  return [{ ...first, meta: { ...first.meta, replayed_from } }, ...rest];
}

/**
 * A job of simulations in groups of eight. Some groups have no variance, and some simulations failed. Each
 * group has forks, subagents, side calls, retries, failures, images, token ids, an answer from another
 * session's record and a history that was rewritten.
 */
export async function writeSampleJob(
  sample: SampleStore,
  job_id: string,
  simulations: number,
): Promise<void> {
  for (let index = 0; index < simulations; index += 1) {
    const group = Math.floor(index / 8);
    const job = { job_id, group_id: `task-${group}` };
    const session_id = `${job_id}-${index}`;
    const isFailed = index % 11 === 10;
    const isUniform = group % 4 === 3;
    const task = `Task ${group}: the clock shows 60.`;
    const turns = turnsOf(index % 8, task, `${job_id}-${index - 1}`).map((turn) => ({
      ...turn,
      meta: { cost_nano_usd, ...turn.meta },
    }));
    await sample.converse(session_id, turns, job);
    sample.attempt({
      ...job,
      session_id,
      simulation_id: `task-${group}-${index % 8}`,
      status: isFailed ? "failed" : "finished",
      reward: isFailed ? null : isUniform ? 1 : ((index * 7) % 5) / 4,
      error: isFailed ? "agent_failed: the command ended with exit code 1" : null,
    });
  }
}
