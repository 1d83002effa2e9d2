import { BODY_NAMES } from "../load/load-protocol.ts";
import { ROWS } from "../servers/rows.ts";
import { STORM_NAMES } from "../storms/storms-bench.ts";

export const HELP: string = `Usage: npm run bench -- <measurement> [options]

  gateway      speed of the gateway next to bare proxies and HAProxy (under 10 minutes)
    --quick                 under 90 seconds; only finds what is badly wrong
    --rows a,b              of ${ROWS.map(({ name }) => name).join(", ")}
    --before DIR            next to the gateway of another working copy, with its dependencies installed
                            (such as an older commit's); bound: 0.97 of its speed in each cell
    --bodies a,b            of ${BODY_NAMES.join(", ")}
    --connections 1,16,64
    --repetitions N         rounds of each cell
    --starts N              start the servers this many times, and divide the rounds among the starts (1)
    --window MS             length of a round
    --no-streams            without a thousand concurrent streams
    --write-readme          put the tables into bench/README.md
  clients      unmodified SDKs and frameworks against sessions; exit status 1 if one does not work
    --write-readme          put the table into docs/agents.md
  endings      requests of the programs on the PATH after a closed session and a spent budget (a minute each)
    --of a,b                of the launcher's recipes
    --write-readme          put the table into docs/agents.md
  engine       a step on a route with an engine next to one without, by the length of its history (two minutes)
    --repetitions N         steps of each (40)
  pipeline     the event loop's CPU for each stage of a step, without sockets (under a minute)
  points       import, snapshots and pages of a ranking
    --addresses N           (1000000)
    --window MS             length of a round of requests (8000)
  points-data  generates the events that \`points\` imports, as JSON Lines
    --file FILE             where to write them
    --addresses N           (1000000)
  routing      the resource router next to a bare handler, Express and find-my-way
    --repetitions N         rounds of each server (30)
    --window MS             length of a round (300)
  scanner      the scanner that routes, next to JSON.parse
  storms       faults repeated under load, and what holds afterwards; exit status 1 if a check fails
    --storms a,b            of ${STORM_NAMES.join(", ")}
    --requests N            in the storm of cancelled requests (5000)
    --kills N               in each storm that kills a process (5)
    --races N               between a close and its session's requests (200)
    --simulations N         in the job whose launcher is killed (40)
    --seed N                (1)
  trading-soak an hour of market time at full speed, 20 bots, a fault in each of its seconds:
               no order or trade lost, no rejection unhandled, memory flat
    --market-minutes N      of market time (60)
    --bots N                (20)
    --seed N                of faults and bots (1)

  --force      measure although the machine is busy
  --help
`;
