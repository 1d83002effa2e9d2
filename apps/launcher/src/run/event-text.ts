import type { AttemptReference, LauncherEvent } from "@proj/launcher-client";
import { count, duration, reward } from "@proj/launcher-client/sheets";
import type { JobSummary } from "@proj/session-store";
import { printable } from "../text/printable.ts";

export type EventTone = "progress" | "success" | "failure" | "warning";

export interface EventText {
  readonly tone: EventTone;
  /** One line; for a failure, followed by the end of the output, indented. */
  readonly text: string;
}

const maxLinesOfOutput = 5;
const maxLineOfOutput = 500;

type Failed = Pick<
  Extract<LauncherEvent, { readonly event: "simulation_failed" }>,
  "last_output" | "error"
>;

/** The readable form of an event. */
export function eventText(event: LauncherEvent): EventText {
  const { tone, text } = describe(event);
  return { tone, text: printable(text) };
}

function describe(event: LauncherEvent): EventText {
  switch (event.event) {
    case "job_started": {
      const { job_id, simulations, pending, running, finished, failed } = event;
      const ended = `${finished} finished, ${failed} failed${ofInfrastructure(event)}`;
      const counts = `${ended}, ${running} running, ${pending} pending`;
      return {
        tone: "progress",
        text: `job          ${job_id}: ${count(simulations, "simulation")}: ${counts}`,
      };
    }
    case "simulation_started":
      return line("progress", "started", event, `session ${event.session_id}`);
    case "simulation_finished": {
      const cut = event.truncated_by === null ? "" : `, cut off (${event.truncated_by})`;
      const what = `reward ${reward(event.reward)}${cut}, ${duration(event.duration_ms)}`;
      return line("success", "finished", event, `${what}, session ${event.session_id}`);
    }
    case "simulation_failed": {
      const { tone, text } = line("failure", "failed", event, oneLine(event.error));
      return { tone, text: `${text}, session ${event.session_id}${outputOf(event)}` };
    }
    case "infrastructure_failed": {
      const { tone, text } = line("failure", "not counted", event, oneLine(event.error));
      return { tone, text: `${text}, session ${event.session_id}${outputOf(event)}` };
    }
    case "evaluation_retried": {
      const { failures, error } = event;
      return line(
        "warning",
        "evaluator",
        event,
        `failed ${failures === 1 ? "once" : `${failures} times`}, trying again: ${oneLine(error)}`,
      );
    }
    case "evaluation_failed":
      return line("failure", "not scored", event, `${oneLine(event.error)}${outputOf(event)}`);
    case "simulation_evaluated": {
      const { reward: now, previous_reward } = event;
      const before = previous_reward === null ? "none" : reward(previous_reward);
      return line("success", "evaluated", event, `reward ${reward(now)}, before ${before}`);
    }
    case "simulation_interrupted":
      return line("warning", "interrupted", event, "it can be run again");
    case "simulation_lost":
      return line("warning", "lost", event, "another launcher has taken it over");
    case "session_left_open":
      return warning(`session ${event.session_id} is still open at the gateway: ${event.reason}`);
    case "folder_left":
      return warning(`the folder of session ${event.session_id} was not removed: ${event.reason}`);
    case "upstream_refused":
      return warning(event.message);
    case "storage_unavailable":
      return warning(`the storage is unavailable: ${event.message}`);
    case "gateway_unavailable":
      return warning(`the gateway is unavailable: ${event.message}`);
    case "job_ended": {
      const { job_id, finished, failed, mean_reward } = event;
      const ended = `${finished} finished, ${failed} failed${ofInfrastructure(event)}`;
      const counts = `${ended}, mean reward ${reward(mean_reward)}`;
      return { tone: "progress", text: `job          ${job_id}: ${counts}` };
    }
  }
}

const ofInfrastructure = ({ infrastructure }: JobSummary): string =>
  infrastructure === 0 ? "" : `, ${count(infrastructure, "infrastructure failure")}`;

function line(
  tone: EventTone,
  word: string,
  { simulation_id, attempt }: AttemptReference,
  rest: string,
): EventText {
  const which = attempt === 1 ? simulation_id : `${simulation_id} (attempt ${attempt})`;
  return { tone, text: `${word.padEnd(12)} ${oneLine(which)}  ${rest}` };
}

const warning = (text: string): EventText => ({
  tone: "warning",
  text: `${"warning".padEnd(12)} ${oneLine(text)}`,
});

/** Leaves out output that the error already contains. */
function outputOf({ last_output, error }: Failed): string {
  const output = (last_output ?? "").trim();
  if (error.includes(output)) return "";
  const lines = output.split("\n").slice(-maxLinesOfOutput);
  return lines.map((text) => `\n    | ${text.slice(0, maxLineOfOutput)}`).join("");
}

const oneLine = (text: string): string => text.replace(/\s+/g, " ");
