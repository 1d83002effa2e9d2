import type {
  CreateTerminalRequest,
  TerminalExitStatus,
  TerminalOutputResponse,
} from "@agentclientprotocol/sdk";
import { OutputTail } from "../child-process/output-tail.ts";
import { shellQuote } from "../child-process/shell-quote.ts";
import type { AgentPlace } from "./agent-place.ts";
import { type OpenCommand, openCommand } from "./open-command.ts";

const maxTerminals = 16;
const maxOutput = 1024 * 1024;
const graceMs = 1_000;

interface Terminal {
  readonly command: OpenCommand;
  readonly output: OutputTail;
  readonly limit: number;
  exit: TerminalExitStatus | null;
}

/** Commands that an agent has the launcher run; they run as the agent does, and end with it. */
export class Terminals {
  readonly #place: AgentPlace;
  readonly #signal: AbortSignal;
  readonly #open = new Map<string, Terminal>();
  #opened = 0;
  #opening = 0;

  constructor(place: AgentPlace, signal: AbortSignal) {
    this.#place = place;
    this.#signal = signal;
  }

  /** @returns its id. @throws Error too many are open, or it cannot be started */
  async create({
    command,
    args,
    env,
    cwd,
    outputByteLimit,
  }: CreateTerminalRequest): Promise<string> {
    if (this.#open.size + this.#opening >= maxTerminals)
      throw new Error(`more than ${maxTerminals} terminals: release one first`);
    this.#opening += 1;
    try {
      const line = [command, ...(args ?? []).map(shellQuote)].join(" ");
      const script = cwd == null ? line : `cd -- ${shellQuote(cwd)} || exit 1\n${line}`;
      const variables = (env ?? []).map(({ name, value }) => [name, value]);
      const start = await this.#place.start(script, Object.fromEntries(variables));
      const opened = await openCommand(start, this.#place.llm_base_url, this.#signal);
      const limit = Math.max(1, Math.min(outputByteLimit ?? maxOutput, maxOutput));
      const terminal: Terminal = {
        command: opened,
        output: new OutputTail(limit),
        limit,
        exit: null,
      };
      opened.child.stdin.end();
      for (const stream of [opened.child.stdout, opened.child.stderr])
        stream.on("data", (chunk: Uint8Array) => terminal.output.append(chunk));
      opened.exited.then(({ code, signal }) => {
        terminal.exit = { exitCode: code, signal };
      });
      this.#opened += 1;
      const id = `terminal-${this.#opened}`;
      this.#open.set(id, terminal);
      return id;
    } finally {
      this.#opening -= 1;
    }
  }

  output(id: string): TerminalOutputResponse {
    const { output, limit, exit } = this.#get(id);
    return { output: output.text(), truncated: output.received > limit, exitStatus: exit };
  }

  async exit(id: string): Promise<TerminalExitStatus> {
    const { code, signal } = await this.#get(id).command.exited;
    return { exitCode: code, signal };
  }

  async kill(id: string): Promise<void> {
    await this.#get(id).command.end(graceMs);
  }

  async release(id: string): Promise<void> {
    const { command } = this.#get(id);
    this.#open.delete(id);
    await command.end(graceMs);
  }

  async releaseAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.release(id)));
  }

  #get(id: string): Terminal {
    const terminal = this.#open.get(id);
    if (terminal === undefined) throw new Error(`there is no terminal '${id}'`);
    return terminal;
  }
}
