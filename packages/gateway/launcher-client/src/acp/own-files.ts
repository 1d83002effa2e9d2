import { dirname, isAbsolute, relative, resolve, sep } from "node:path";
import { SecretMask } from "@proj/gateway-protocol";
import { runAgentCommand } from "../runtime/run-agent-command.ts";
import { staysInside } from "../workdir/stays-inside.ts";
import type { AgentPlace } from "./agent-place.ts";

/** Of a file, in bytes: its Base64 is one line of a command's output. */
const maxFile = 700 * 1024;
const maxWaiting = 64;
const fileMs = 10_000;

/** Refuses links, also among the folders, and whatever is not a plain file. */
const check = `base=$(cd -P -- "$FILE_BASE" && pwd -P) && folder=$(cd -P -- "$FILE_FOLDER" && pwd -P) &&
[ "$folder" = "$base$FILE_BELOW" ] && [ ! -L "$FILE" ] && { [ -f "$FILE" ] || [ "$FILE_MAY_BE_NEW" = yes -a ! -e "$FILE" ]; } ||
{ echo "$FILE: it must be a file, in a folder of the agent's, and no link" >&2; exit 1; }
`;
const reading = `${check}printf '"'; head -c ${maxFile} -- "$FILE" | base64 | tr -d '\\n'; printf '"\\n'`;
const writing = `mkdir -p -- "$FILE_FOLDER" && ${check}cat > "$FILE" && echo 1`;

/**
 * The files of an agent, read and written by commands that run as the agent does: so nobody reaches more through the
 * launcher than by itself. One at a time.
 */
export class OwnFiles {
  readonly #place: AgentPlace;
  readonly #signal: AbortSignal;
  #waiting = 0;
  #last: Promise<unknown> = Promise.resolve();

  constructor(place: AgentPlace, signal: AbortSignal) {
    this.#place = place;
    this.#signal = signal;
  }

  /**
   * @param from the first line, counted from 1
   * @throws Error it is not a file of the agent's
   */
  async read(path: string, from: number | null, lines: number | null): Promise<string> {
    const { value } = await this.#run(reading, path, [], "no");
    const text = Buffer.from(String(value), "base64").toString();
    if (from === null && lines === null) return text;
    const start = Math.max(0, (from ?? 1) - 1);
    return text
      .split("\n")
      .slice(start, lines === null ? undefined : start + lines)
      .join("\n");
  }

  /** @throws Error it is not a file of the agent's, or cannot be written */
  async write(path: string, content: string): Promise<void> {
    if (Buffer.byteLength(content) > maxFile)
      throw new Error(`${path}: more than ${maxFile} bytes`);
    await this.#run(writing, path, [content], "yes");
  }

  #run(script: string, path: string, input: readonly string[], mayBeNew: "yes" | "no") {
    const variables = { ...placeOf(path, this.#place), FILE_MAY_BE_NEW: mayBeNew };
    if (this.#waiting >= maxWaiting) throw new Error("too many files are asked for at once");
    this.#waiting += 1;
    const signal = this.#signal;
    const run = this.#last.then(async () => {
      signal.throwIfAborted();
      const start = await this.#place.start(script, variables);
      const ending = AbortSignal.any([signal, AbortSignal.timeout(fileMs)]);
      const task = { input, mask: new SecretMask([]), signal: ending, graceMs: 0 };
      return runAgentCommand(start, this.#place.llm_base_url, task);
    });
    this.#last = run
      .catch(() => {})
      .finally(() => {
        this.#waiting -= 1;
      });
    return run;
  }
}

/** @throws Error the path is not in one of the agent's folders */
function placeOf(path: string, { folders }: AgentPlace): Record<string, string> {
  const file = resolve(path);
  const base = folders.find((folder) => staysInside(relative(folder, file)));
  if (!isAbsolute(path) || path.includes("\0") || base === undefined)
    throw new Error(`${path}: only files in ${folders.join(", ")} can be read and written`);
  const folder = dirname(file);
  const below = relative(base, folder);
  return {
    FILE: file,
    FILE_BASE: base,
    FILE_FOLDER: folder,
    FILE_BELOW: below === "" ? "" : `${sep}${below}`,
  };
}
