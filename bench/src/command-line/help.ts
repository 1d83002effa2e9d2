import { GROWTHS } from "../growth/growth-bench.ts";
import { BODY_NAMES } from "../load/load-protocol.ts";
import { ROWS } from "../servers/rows.ts";
import { STORM_NAMES } from "../storms/storms-bench.ts";

export const HELP: string = `Usage: npm run bench -- <measurement> [options]

  gateway      speed of the gateway next to bare proxies and other gateways (under 10 minutes)
    --quick                 under 90 seconds; only finds what is badly wrong
    --peers                 next to LiteLLM, Bifrost, rLLM's gateway and Portkey, also with 9,900 streams; needs
                            python3, go and 20,000 file descriptors (ulimit -n)
                            (under 25 minutes, and once about five more to install them; --quick: under 5)
    --rows a,b              of ${ROWS.map(({ name }) => name).join(", ")}
    --before DIR            next to the gateway of another working copy, with its dependencies installed
                            (such as an older commit's); bound: 0.97 of its speed in each cell
    --bodies a,b            of ${BODY_NAMES.join(", ")}
    --connections 1,16,64
    --repetitions N         rounds of each cell
    --starts N              start the servers this many times, and divide the rounds among the starts (1)
    --window MS             length of a round
    --streams N             this many concurrent streams, and the memory for each (1000); bounds are not checked.
                            A gateway needs two file descriptors for each: 10,000 need ulimit -n 20200
    --no-streams            without them
    --json FILE             write the figures here, too, and not only to bench/results/
    --write-readme          put the tables into bench/README.md
  clients      unmodified SDKs and frameworks against sessions; exit status 1 if one does not work
    --write-readme          put the table into docs/agents.md
  console      the cost of an open console with 1,000 live sessions (bound 2 %)
    --sessions N            (1000)
    --repetitions N         pairs of rounds (5)
    --window MS             length of a round (10000)
  endings      requests of the programs on the PATH after a closed session and a spent budget (a minute each)
    --of a,b                of the launcher's recipes
    --write-readme          put the table into docs/agents.md
  engine       a step on a route with an engine next to one without, by the length of its history (two minutes)
    --repetitions N         steps of each (40)
  growth       cost of a unit of work as the work grows, with a chart of each (under eight minutes)
    --of a,b                of ${GROWTHS.join(", ")}
    --quick                 only the smallest sizes
    --write-readme          put the charts into bench/charts/
  pipeline     the event loop's CPU for each stage of a step, without sockets (under a minute)
  points       import, snapshots and pages of a ranking, next to COUNT(*) and OFFSET
    --addresses N           (1000000)
    --window MS             length of a round of requests (8000)
  points-data  generates the events that \`points\` imports, as JSON Lines
    --file FILE             where to write them
    --addresses N           (1000000)
  routing      the resource router next to a bare handler, Express and find-my-way
    --repetitions N         rounds of each server (30)
    --window MS             length of a round (300)
  scanner      the scanner that routes, next to JSON.parse
  sizing       small rollouts of two steps: writing, listing, filtering, archiving and pruning by the number stored
    --rollouts N            the largest number (1000000)
    --postgres              in PostgreSQL in place of SQLite
  storage      rows and bound requests with PostgreSQL next to SQLite, and one and two gateways
               behind HAProxy
    --repetitions N         rounds (5)
    --window MS             length of a round (1000)
  storms       faults repeated under load, and what holds afterwards; exit status 1 if a check fails
    --storms a,b            of ${STORM_NAMES.join(", ")}
    --requests N            in the storm of cancelled requests (5000)
    --kills N               in each storm that kills a process (5)
    --races N               between a close and its session's requests (200)
    --simulations N         in the job whose launcher is killed (40)
    --seed N                (1)
  trading      pushed prices, the trading client and orders, next to plain socket.io 2.5
    --repetitions N         rounds (5)
    --window MS             length of a round of pushes (2000)
  trading-soak an hour of market time at full speed, 20 bots, a fault in each of its seconds:
               no order or trade lost, no rejection unhandled, memory flat
    --market-minutes N      of market time (60)
    --bots N                (20)
    --seed N                of faults and bots (1)

  --force      measure although the machine is busy
  --help
`;
