import type { EngineQuestion, EngineSaying } from "@proj/test-kit";

/**
 * A policy that gives a part of its task to a subagent, runs commands, and answers. Behind a summary it goes on where
 * it was: the summary says what has been run.
 */
export function programPolicy({ text, tools }: EngineQuestion): EngineSaying {
  const last = text.split("<|im_start|>user").at(-1) ?? "";
  const summarised = Number(recap.exec(text)?.[1] ?? 0);
  const written = [...text.matchAll(/part é (\d)/g)].map(([, part]) => Number(part));
  const done = Math.max(summarised, ...written);
  if (summaryRequest.test(last) && !recap.test(last))
    return {
      text: `<analysis>It is short.</analysis>\n<summary>So far, ${done} parts are done.</summary>`,
      prompt_tokens: fullPrompt,
    };
  const shell = shells.find(({ name }) => tools.includes(name));
  const run = (command: string): EngineSaying =>
    shell === undefined ? { text: answer } : call(shell.name, shell.input(command));
  if (given.test(last)) return run("echo mine >> small.txt");
  if (given.test(text)) return reportOf(tools);
  const delegation = done === 0 ? delegationOf(text, tools) : null;
  if (delegation !== null) return delegation;
  const isFull = summarised === 0 && done + 1 >= fullAfter;
  const next =
    done < (summarised === 0 ? 4 : summarised + 2)
      ? run(`echo "part é ${done + 1}" | tee -a steps.txt`)
      : { text: answer };
  return isFull ? { ...next, prompt_tokens: fullPrompt } : next;
}

/** The window is full when this command has been run. */
const fullAfter = 2;
/** More tokens than any program's window. */
const fullPrompt = 990_000;
const assignment = "Do the small part.";
/** A text of the user, not an argument of the call that gives it. */
const given = /Do the small part\.(?!\\?")/;
const recap = /So far, (\d) parts are done/;
const summaryRequest =
  /\b(create|produce|generate|write|summarize)\b[^.]{0,60}(summary|<state_snapshot>|conversation|prefix|events)/i;
/** Clients have asked for the sum. */
const answer = "19 + 23 is 42.";

const call = (name: string, input: object): EngineSaying => ({
  ...{ reasoning: "Next, then.", text: "Next. \n", calls: [{ name, input }] },
});

/** What a subagent says in the end; gemini-cli's calls a tool. */
function reportOf(tools: readonly string[]): EngineSaying {
  const response = "The small part is done.";
  return tools.includes("complete_task")
    ? call("complete_task", { result: { response } })
    : { text: response };
}

function delegationOf(text: string, tools: readonly string[]): EngineSaying | null {
  const rounds = text.split("<tool_response>").length - 1;
  const delegate = delegates.find(
    ({ name, beside = name }) => tools.includes(name) && tools.includes(beside),
  );
  if (delegate !== undefined && rounds === 0) return call(delegate.name, delegate.input);
  // Codex goes on after it delegated, unless it waits.
  const agent_id = rounds === 1 ? /agent_id\W+([\w-]{36})/.exec(text)?.[1] : undefined;
  const wait = tools.find((name) => name.endsWith("wait_agent"));
  return agent_id === undefined || wait === undefined ? null : call(wait, { targets: [agent_id] });
}

const shells: readonly { readonly name: string; readonly input: (text: string) => object }[] = [
  { name: "exec_command", input: (cmd) => ({ cmd }) },
  { name: "run_shell_command", input: (command) => ({ is_background: false, command }) },
  { name: "Bash", input: (command) => ({ description: "as told", command }) },
  { name: "bash", input: (command) => ({ command }) },
  { name: "run_commands", input: (command) => ({ commands: [command] }) },
  { name: "terminal", input: (command) => ({ command }) },
];

interface Delegate {
  readonly name: string;
  /** Another tool of the program, where several have one of this name. */
  readonly beside?: string;
  readonly input: object;
}

const part = { description: "a part", prompt: assignment };
const general = { ...part, subagent_type: "general-purpose" };

const delegates: readonly Delegate[] = [
  { name: "Agent", input: { ...general, run_in_background: false } },
  { name: "agent", input: { ...general, run_in_background: false } },
  { name: "multi_agent_v1__spawn_agent", input: { message: assignment } },
  { name: "spawn_agent", input: { message: assignment } },
  { name: "invoke_agent", input: { agent_name: "generalist", prompt: assignment } },
  {
    ...{ name: "task", beside: "list_agents" },
    input: { ...part, name: "it", agent_type: "general-purpose", mode: "sync" },
  },
  { name: "task", beside: "terminal", input: general },
  { name: "task", input: { ...part, subagent_type: "general" } },
];
