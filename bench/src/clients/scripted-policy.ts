import type { EngineQuestion, EngineSaying } from "@proj/test-kit";

/** How many tools a policy calls, one after the other, before it answers. */
export const toolRounds = 2;

const answer = "19 + 23 is 42.";
/** Given to a subagent. */
const assignment = "Do the small part.";

/** A policy that works with whatever tools a client or program offers, and then answers. */
export function scriptedPolicy({ text, tools }: EngineQuestion): EngineSaying {
  // A subagent, or a call beside the work, has a conversation of its own.
  if (lastUser(text).includes(assignment)) return { text: "The small part is done." };
  const rounds = text.split("<tool_response>").length - 1;
  const call = (name: string, input: object): EngineSaying => ({
    reasoning: `Call number ${rounds}, then.`,
    text: rounds === 0 ? "" : "Next. \n",
    calls: [{ name, input }],
  });
  if (tools.includes("Sum")) return call("Sum", { sum: 42 });
  if (tools.includes("add") && rounds < toolRounds) return call("add", { b: 23, a: 19 });
  const delegate = delegates.find(({ name }) => tools.includes(name));
  if (delegate !== undefined && rounds === 0) return call(delegate.name, delegate.input);
  // Codex goes on after it delegated, unless it waits.
  const agent_id = rounds === 1 ? /agent_id\W+([\w-]{36})/.exec(text)?.[1] : undefined;
  if (agent_id !== undefined) {
    const wait = tools.find((name) => name.endsWith("wait_agent"));
    if (wait !== undefined) return call(wait, { targets: [agent_id] });
  }
  const shell = shells.find(({ name }) => tools.includes(name));
  if (shell === undefined || rounds > shellRounds) return { text: answer };
  return call(shell.name, shell.input(`echo "é ${rounds}" >> steps.txt`));
}

/** A delegation, and two commands at least. */
const shellRounds = 3;

const lastUser = (text: string): string => text.split("<|im_start|>user").at(-1) ?? "";

const shells: readonly { readonly name: string; readonly input: (text: string) => object }[] = [
  { name: "exec_command", input: (cmd) => ({ cmd }) },
  { name: "run_shell_command", input: (command) => ({ is_background: false, command }) },
  { name: "Bash", input: (command) => ({ description: "as told", command }) },
  { name: "bash", input: (command) => ({ description: "as told", command }) },
  { name: "run_commands", input: (command) => ({ commands: [command] }) },
  { name: "terminal", input: (command) => ({ command }) },
];

const delegates: readonly { readonly name: string; readonly input: object }[] = [
  {
    name: "Agent",
    input: {
      ...{ description: "a part", prompt: assignment, subagent_type: "general-purpose" },
      run_in_background: false,
    },
  },
  { name: "multi_agent_v1__spawn_agent", input: { message: assignment } },
  { name: "spawn_agent", input: { message: assignment } },
  { name: "task", input: { description: "a part", prompt: assignment, subagent_type: "general" } },
];
