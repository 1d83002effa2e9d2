import type { Endpoint } from "../endpoint.ts";
import { skipContent, skipError, whyNoAnswer } from "../facts/object-facts.ts";
import { readUsage, responseUsage } from "../facts/read-usage.ts";
import { endpointPaths, streamPaths } from "../names.ts";
import { writeCompaction } from "./response-answer.ts";
import { responses } from "./responses.ts";

/** `POST responses/compact`: the model writes a shorter history, in a step like any other. */
export const compact: Endpoint<"compact"> = {
  ...responses,
  name: "compact",
  path: endpointPaths.compact,
  streamPath: streamPaths.compact,
  readFacts: (scanner, facts) => {
    let content = false;
    let error = false;
    for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
      if (scanner.keyEquals("usage")) readUsage(scanner, facts, responseUsage);
      else if (scanner.keyEquals("error")) error = skipError(scanner);
      else if (scanner.keyEquals("output")) content = skipContent(scanner);
      else scanner.skipValue();
    }
    facts.noAnswer = whyNoAnswer({ content, error, reasons: [], member: "output" });
  },
  openStream: null,
  chat: null,
  writeAnswer: writeCompaction,
  writeStream: null,
};
