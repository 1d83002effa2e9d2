/**
 * A launcher: `rootless-program.ts SANDBOX IMAGE BASE_URL SCRIPT` runs an agent and prints what it said, and whether
 * limits work.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bubblewrap, commandRuntime, container, keptFolders } from "../../src/index.ts";
import { checkAgentCommand } from "../../src/runtime/check-agent-command.ts";
import { startRequest } from "../start-request.ts";

const [, , name, image = "", llm_base_url = "", reach = ""] = process.argv;
const { signal } = new AbortController();
const sandbox = name === "podman" ? container({ engine: "podman", image }) : bubblewrap();
const folder = keptFolders(process.cwd()).of(name ?? "");
const script = `id -u; touch x && echo "may write"; touch /bin/x; cat ${import.meta.filename}; ${reach}`;
const command = `(${script}) > "$HOME/said" 2>&1; echo '{"status":"ok"}'`;
const request = { ...startRequest, llm_base_url };
await commandRuntime(command, { sandbox }).run(request, { signal, folder });
console.log(await readFile(join((await folder.open()).home, "said"), "utf8"));
const limited = checkAgentCommand({ sandbox, limits: { processes: 50 } }, signal);
console.log(
  await limited.then(
    () => "limits hold",
    (error: Error) => error.message,
  ),
);
