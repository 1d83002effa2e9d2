import { openaiErrorBody } from "../api-error.ts";
import { readChoiceFacts } from "../choices/choice-facts.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { endpointPaths } from "../names.ts";
import { ChoiceStreamReader } from "../streams/choice-stream-reader.ts";
import { completionForm } from "./completion-form.ts";
import { writeCompletionStop } from "./completion-stop.ts";
import { writeCompletionStream } from "./completion-stream.ts";

/** `POST completions`: the older API, whose prompt is a text or token ids. */
export const completions: Endpoint<"completions"> = {
  name: "completions",
  path: endpointPaths.completions,
  ...openaiHeaders,
  history: "prompt",
  readFacts: readChoiceFacts,
  openStream: (options) => new ChoiceStreamReader(completionForm, options),
  abridge: null,
  isRecorded: true,
  errorBody: openaiErrorBody,
  writeStop: writeCompletionStop,
  chat: null,
  writeStream: writeCompletionStream,
};
