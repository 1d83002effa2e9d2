import { endpointPaths } from "@proj/gateway-protocol";
import { readString } from "../../bodies/object-facts.ts";
import { choiceUsage, readUsage } from "../../bodies/read-usage.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { abridgeVectors } from "./abridge-vectors.ts";

/** `POST embeddings`: recorded, but not as a step. */
export const embeddings: Endpoint<"embeddings"> = {
  name: "embeddings",
  path: endpointPaths.embeddings,
  ...openaiHeaders,
  history: null,
  readFacts: (scanner, facts) => {
    for (let more = scanner.enterObject(); more; more = scanner.nextMember()) {
      if (scanner.keyEquals("usage")) readUsage(scanner, facts, choiceUsage);
      else if (scanner.keyEquals("model")) facts.model = readString(scanner);
      else scanner.skipValue();
    }
  },
  openStream: null,
  abridge: abridgeVectors,
  isRecorded: true,
  errorBody: (error) => error.body,
  writeStop: null,
  writeStream: null,
};
