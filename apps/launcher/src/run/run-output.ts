import { type InspectColor, styleText } from "node:util";
import type { LauncherEvent } from "@proj/launcher-client";
import type { JobSummary } from "@proj/session-store";
import { type EventTone, eventText } from "./event-text.ts";
import { ProgressBar } from "./progress-bar.ts";

/** Where a run reports what happens. */
export interface RunOutput {
  tell(event: LauncherEvent): void;
  /** Prints a text for people, above the progress bar if there is one. */
  say(text: string): void;
  /** Restores the terminal, however the run ended. */
  end(): void;
}

const colours: Readonly<Record<EventTone, InspectColor>> = {
  progress: "dim",
  success: "green",
  failure: "red",
  warning: "yellow",
};

/**
 * On a terminal, a progress bar with warnings and failures above it; elsewhere, one line per event. With `json`, the
 * events are JSON Lines on standard output, and text for people goes to standard error.
 */
export function createRunOutput(
  json: boolean,
  readJob: () => Promise<JobSummary | null>,
): RunOutput {
  const { stdout, stderr } = process;
  // The run is worth more than its output: a reader that stops reading does not end it.
  for (const stream of [stdout, stderr]) stream.on("error", () => {});
  const stream = json ? stderr : stdout;
  const isLive = stream.isTTY && process.env.TERM !== "dumb" && !(json && stdout.isTTY);
  const people = isLive ? liveOutput(stream, readJob) : json ? silentOutput() : lineOutput();
  if (!json) return people;
  return {
    tell(event) {
      stdout.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
      people.tell(event);
    },
    say: people.say,
    end: people.end,
  };
}

function lineOutput(): RunOutput {
  const { stdout } = process;
  return {
    tell(event) {
      const { tone, text } = eventText(event);
      stdout.write(`${styleText(colours[tone], text, { stream: stdout })}\n`);
    },
    say: (text) => stdout.write(`${text}\n`),
    end: () => {},
  };
}

function silentOutput(): RunOutput {
  const say = (text: string): void => {
    process.stderr.write(`${text}\n`);
  };
  return { tell: () => {}, say, end: () => {} };
}

function liveOutput(
  stream: NodeJS.WriteStream,
  readJob: () => Promise<JobSummary | null>,
): RunOutput {
  let bar: ProgressBar | null = null;
  const say = (text: string): void => {
    if (bar === null) stream.write(`${text}\n`);
    else bar.print(text);
  };
  return {
    say,
    tell(event) {
      if (event.event === "job_started") bar = new ProgressBar(stream, event, readJob);
      const { tone, text } = eventText(event);
      if (tone === "failure" || tone === "warning") say(styleText(colours[tone], text, { stream }));
    },
    end() {
      bar?.stop();
      bar = null;
    },
  };
}
