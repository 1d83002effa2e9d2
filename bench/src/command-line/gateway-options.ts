import { FULL_RUN, type GatewayBenchOptions, QUICK_RUN } from "../gateway/gateway-bench-options.ts";
import { BODY_NAMES, type BodyName } from "../load/load-protocol.ts";
import { ROWS } from "../servers/rows.ts";
import { fromCaller, list, member, wholeNumber } from "./option-values.ts";
import type { Values } from "./options.ts";

/** One of the prepared runs, with what the caller changes of it. */
export function gatewayOptions(values: Values): GatewayBenchOptions {
  const base = values.quick ? QUICK_RUN : FULL_RUN;
  const bodies = list(values.bodies).map((name) => member(BODY_NAMES, name, "--bodies"));
  const connections = list(values.connections).map((text) => wholeNumber(text, "--connections"));
  const names = ROWS.map(({ name }) => name);
  const rows = list(values.rows).map((name) => member(names, name, "--rows"));
  const { repetitions } = values;
  const windowMs =
    values.window === undefined ? base.windowMs : wholeNumber(values.window, "--window");
  return {
    ...base,
    force: values.force,
    rows: rows.length > 0 ? rows : base.rows,
    before: values.before === undefined ? null : fromCaller(values.before),
    bodies: bodies.length > 0 ? bodies : base.bodies,
    connections: connections.length > 0 ? connections : base.connections,
    windowMs,
    starts: wholeNumber(values.starts, "--starts"),
    repetitions: repetitions === undefined ? base.repetitions : sameForAll(repetitions),
    streams: values["no-streams"] ? null : base.streams,
    writeReadme: values["write-readme"],
  };
}

function sameForAll(text: string): Record<BodyName, number> {
  const count = wholeNumber(text, "--repetitions");
  return { "1k": count, "200k": count, "1m": count, stream: count };
}
