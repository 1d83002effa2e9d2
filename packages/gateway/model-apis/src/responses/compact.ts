import type { Endpoint } from "../endpoint.ts";
import { skipError } from "../facts/object-facts.ts";
import { readUsage, responseUsage } from "../facts/read-usage.ts";
import { endpointPaths } from "../names.ts";
import { writeCompactionStop } from "./compaction-stop.ts";
import { responses } from "./responses.ts";

/** `POST responses/compact`: the model writes a shorter history, in a step like any other. */
export const compact: Endpoint<"compact"> = {
  ...responses,
  name: "compact",
  path: endpointPaths.compact,
  readFacts: (scanner, facts) => {
    for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
      if (scanner.keyEquals("usage")) readUsage(scanner, facts, responseUsage);
      else if (!scanner.keyEquals("error")) scanner.skipValue();
      else if (skipError(scanner)) facts.noAnswer = "the answer is an error";
    }
  },
  openStream: null,
  writeStop: writeCompactionStop,
  writeStream: null,
};
