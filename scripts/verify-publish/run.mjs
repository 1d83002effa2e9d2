import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter } from "node:path";

/** An environment in which this Node is found first, whatever starts it. */
export function withNode(nodeFolder, more = {}) {
  return { ...process.env, ...more, PATH: `${nodeFolder}${delimiter}${process.env.PATH}` };
}

/**
 * Runs a program to its end. Resolves with its standard output, or with all output if `code` is not 0.
 * @throws Error it ended with another code or took too long; with the end of its output
 */
export async function run(program, args, { timeoutMs = 120_000, code = 0, ...options } = {}) {
  const started = start(program, args, options);
  const timer = setTimeout(() => started.end("SIGKILL"), timeoutMs);
  try {
    const [ended, signal] = await started.closed;
    if (ended === code) return code === 0 ? started.output() : started.all();
    const how = signal === null ? `ended with ${ended}` : `was ended by ${signal}`;
    throw started.failure(`${how} instead of ${code}`);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Starts a server and waits until its standard output matches `ready`. Resolves with the match and
 * with `stop`, which shuts it down in order.
 */
export async function startServer(program, args, ready, options) {
  const started = start(program, args, options);
  const deadline = AbortSignal.timeout(60_000);
  const over = started.closed.then(() => true);
  for (let isOver = false; !isOver; ) {
    const match = ready.exec(started.output());
    if (match !== null) return { match, stop: () => stop(started) };
    const said = once(started.stdout, "data", { signal: deadline }).then(() => false);
    isOver = await Promise.race([said, over]).catch(() => true);
  }
  started.end("SIGKILL");
  throw started.failure(`did not print ${ready}`);
}

async function stop(started) {
  started.end("SIGTERM");
  let isKilled = false;
  const timer = setTimeout(() => {
    isKilled = true;
    started.end("SIGKILL");
  }, 20_000);
  await started.closed.finally(() => clearTimeout(timer));
  if (isKilled) throw started.failure("did not end on SIGTERM");
}

const running = new Set();
process.on("exit", () => {
  for (const end of running) end("SIGKILL");
});

/** Starts a program as a process group, so that everything it has started ends with it. */
function start(program, args, options) {
  const stdio = ["ignore", "pipe", "pipe"];
  const child = spawn(program, args, { ...options, stdio, detached: true });
  let stdout = "";
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (chunk) => {
    stdout += chunk;
    text += chunk;
  });
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    text += chunk;
  });
  const end = (signal) => {
    if (child.pid === undefined) return; // It never started.
    try {
      process.kill(-child.pid, signal);
    } catch (error) {
      if (error.code !== "ESRCH") throw error;
    }
  };
  running.add(end);
  const closed = once(child, "close").finally(() => running.delete(end));
  const failure = (how) => {
    const last = text.trim().split("\n").slice(-40).join("\n    ");
    return new Error(`${[program, ...args].join(" ")}\n  ${how}:\n    ${last}`);
  };
  return { stdout: child.stdout, output: () => stdout, all: () => text, closed, end, failure };
}

/** Does `work` for every item, two at a time. Tries all; @throws all failures together. */
export async function forEach(items, work) {
  const waiting = [...items];
  const errors = [];
  const worker = async () => {
    for (let item = waiting.shift(); item !== undefined; item = waiting.shift()) {
      await work(item).catch((error) => errors.push(error));
    }
  };
  await Promise.all([worker(), worker()]);
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
}
