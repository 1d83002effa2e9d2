import { endpointPaths } from "@proj/gateway-protocol";
import { readUsage, skipError } from "../../bodies/object-facts.ts";
import type { Endpoint } from "../endpoint.ts";
import { writeCompactionStop } from "./compaction-stop.ts";
import { responses } from "./responses.ts";

/** `POST responses/compact`: the model writes a shorter history, in a step like any other. */
export const compact: Endpoint<"compact"> = {
  ...responses,
  name: "compact",
  path: endpointPaths.compact,
  readFacts: (scanner, facts) => {
    for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
      if (scanner.keyEquals("usage")) readUsage(scanner, facts, "input_tokens", "output_tokens");
      else if (!scanner.keyEquals("error")) scanner.skipValue();
      else if (skipError(scanner)) facts.noAnswer = "the answer is an error";
    }
  },
  openStream: null,
  writeStop: writeCompactionStop,
  writeStream: null,
};
