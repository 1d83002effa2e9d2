/** A launcher: `rootless-program.ts IMAGE` runs an agent in podman and prints what it said, and whether limits work. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { commandRuntime, container, keptFolders } from "../../src/index.ts";
import { checkAgentCommand } from "../../src/runtime/check-agent-command.ts";
import { startRequest } from "../start-request.ts";

const [, , image = ""] = process.argv;
const { signal } = new AbortController();
const sandbox = container({ engine: "podman", image });
const folder = keptFolders(process.cwd()).of("session-1");
const script = `id -u; touch x && echo "may write"; touch /bin/x; cat ${import.meta.filename}`;
const command = `(${script}) > "$HOME/said" 2>&1; echo '{"status":"ok"}'`;
await commandRuntime(command, { sandbox }).run(startRequest, { signal, folder });
console.log(await readFile(join((await folder.open()).home, "said"), "utf8"));
const limited = checkAgentCommand({ sandbox, limits: { processes: 50 } }, signal);
console.log(
  await limited.then(
    () => "limits hold",
    (error: Error) => error.message,
  ),
);
