import { resolve } from "node:path";
import { type Command, defineCommand, flag, optional } from "@proj/program";
import { runGatewayBench } from "../gateway/gateway-bench.ts";
import { FULL_RUN, QUICK_RUN } from "../gateway/gateway-bench-options.ts";
import { BODY_NAMES } from "../load/load-protocol.ts";
import { ROWS } from "../servers/rows.ts";
import { count, countOrNull, force, listOf, numbers, windowOrNull } from "./options.ts";

const rowNames = ROWS.map(({ name }) => name);

export const gateway: Command = defineCommand({
  name: "gateway",
  summary: "speed of the gateway next to bare proxies and HAProxy (under 10 minutes)",
  no: "a bound was missed, or an answer was wrong",
  options: {
    quick: flag("under 90 seconds; only finds what is badly wrong"),
    rows: listOf("only these", rowNames),
    before: optional(
      "DIR",
      "next to the gateway of another working copy, such as an older commit's, with its dependencies installed; bound: 0.97 of its speed in each cell",
      { completion: "files" },
    ),
    bodies: listOf("only these", BODY_NAMES),
    connections: numbers("such as 1,16,64"),
    repetitions: countOrNull("rounds of each cell"),
    starts: count("start the servers this many times, and divide the rounds among the starts", 1),
    window: windowOrNull,
    "no-streams": flag("without a thousand concurrent streams"),
    "write-readme": flag("put the tables into bench/README.md"),
    force,
  },
  run({ options }) {
    const { quick, before, repetitions: count, ...given } = options;
    const base = quick ? QUICK_RUN : FULL_RUN;
    return runGatewayBench({
      ...base,
      force: given.force,
      rows: given.rows ?? base.rows,
      before: before === null ? null : resolve(process.env.INIT_CWD ?? ".", before),
      bodies: given.bodies ?? base.bodies,
      connections: given.connections ?? base.connections,
      windowMs: given.window ?? base.windowMs,
      starts: given.starts,
      repetitions:
        count === null
          ? base.repetitions
          : { "1k": count, "200k": count, "1m": count, stream: count },
      streams: given["no-streams"] ? null : base.streams,
      writeReadme: given["write-readme"],
    });
  },
});
