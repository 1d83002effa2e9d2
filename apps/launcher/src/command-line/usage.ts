import type { CommandName } from "./command.ts";

const program = `Usage: launcher COMMAND [OPTIONS]

Starts simulations against a model gateway, evaluates them and commits their rewards.

Commands
  run [SIMULATIONS]  run a job's simulations until each is finished or has failed
  status             the jobs in a database, or one of them
  show SESSION       one attempt: its environment, its reward, and its steps as a conversation
  export             the steps of finished simulations with their rewards, as JSON Lines

Options
  -h, --help         this text; launcher COMMAND --help says more
  -v, --version      the version
`;

const run = `Usage: launcher run [SIMULATIONS] --llm-model ROUTE --runtime-command COMMAND [OPTIONS]

Runs the simulations of a job, many at once and in order, until each is finished or has failed.

  SIMULATIONS                   a YAML file with a list, a JSON Lines file (.jsonl, .ndjson), or - for
                                JSON Lines on standard input; each simulation is
                                {simulation_id?, env_name?, env_params?, group_id?, repeat?}.
                                Without it, the job that --job-id names goes on as it is stored

What runs
      --llm-model ROUTE         a key of the gateway's llm_routes
      --runtime-command COMMAND the agent: gets the start request on standard input, its last line is the result
      --runtime-url URL         or an endpoint that gets the start request as a POST
      --evaluator-command COMMAND, --evaluator-url URL
                                what scores a simulation; neither: the runtime's own total_reward
      --job-id ID               a new one by default; with the id of a job that was run, it goes on
      --concurrency N           simulations at once (8)
      --max-attempts N          how many attempts of a simulation may fail (1)

Where
      --db-path URL             the gateway's storage_config.db_url (sqlite://data/gateway.db)
      --gateway-base-url URL    (http://127.0.0.1:8000)
      --gateway-api-key KEY     one of the gateway's auth.api_keys; GATEWAY_API_KEY keeps it out of process lists
      --session-secret SECRET   the gateway's auth.session_secret; GATEWAY_SESSION_SECRET likewise. A runtime
                                then gets a key to its own session, and else the gateway's key

How long, in seconds
      --simulation-timeout S    for the runtime (3600)
      --evaluation-timeout S    for the evaluator (600)
      --close-timeout S         for a session to close (120)
      --heartbeat-timeout S     without news of its launcher, an attempt is begun again by another (60);
                                the same for all launchers of a job

      --json                    the events as JSON Lines on standard output, all else on standard error
  -h, --help                    this text

Environment
  SERVICE_GATEWAY_CONFIG        the gateway's configuration file: --llm-model is looked for there too

Exit codes
  0 all finished, 1 some failed, 2 the command line, the simulations or the gateway are not as they must be,
  130 interrupted: the same --job-id goes on
`;

const dbPath =
  "      --db-path URL  the gateway's storage_config.db_url (sqlite://data/gateway.db)";
const readingCodes = `Exit codes
  0 done, 1 failed or not found, 2 the command line is wrong
`;

const status = `Usage: launcher status [--job-id ID] [OPTIONS]

Lists the jobs of a database; of one job, also its failures by their error.

Options
${dbPath}
      --job-id ID    one job
      --json         as JSON
  -h, --help         this text

${readingCodes}`;

const show = `Usage: launcher show SESSION [OPTIONS]

Shows one attempt: its environment, its reward, and its steps as a conversation, each with the messages
that are new in it.

Options
${dbPath}
      --full         every text whole, however long
      --json         the environment and the steps as one JSON object, as they are stored
  -h, --help         this text

${readingCodes}`;

const exportUsage = `Usage: launcher export [--job-id ID] [--output FILE] [OPTIONS]

Writes the steps with status 200 of finished simulations that have a reward, a line each.

Options
${dbPath}
      --job-id ID    of one job only
  -o, --output FILE  instead of standard output
  -h, --help         this text

${readingCodes}`;

/** @param of null: the program */
export function usage(of: CommandName | null): string {
  if (of === null) return program;
  return { run, status, show, export: exportUsage }[of];
}
