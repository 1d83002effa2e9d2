import type { WriteStop } from "../endpoint.ts";
import { finishedMessage, noUsage, outputText } from "./response-stop.ts";

/** A compaction never streams: its history is the one message that says so. */
export const writeCompactionStop: WriteStop = (head) =>
  JSON.stringify({
    id: `resp_${head.request_id}`,
    object: "response.compaction",
    created_at: head.created,
    output: [finishedMessage(head, outputText)],
    usage: noUsage,
  });
