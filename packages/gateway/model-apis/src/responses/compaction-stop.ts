import type { WriteStop } from "../endpoint.ts";
import { finishedMessage, noUsage, outputText } from "./response-stop.ts";

/** Compactions never stream: the history is one message with the stop's text. */
export const writeCompactionStop: WriteStop = (head) =>
  JSON.stringify({
    id: `resp_${head.request_id}`,
    object: "response.compaction",
    created_at: head.created,
    output: [finishedMessage(head, outputText)],
    usage: noUsage,
  });
