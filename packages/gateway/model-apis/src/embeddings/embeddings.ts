import { openaiErrorBody } from "../api-error.ts";
import { type Endpoint, openaiHeaders } from "../endpoint.ts";
import { readString } from "../facts/object-facts.ts";
import { choiceUsage, readUsage } from "../facts/read-usage.ts";
import { endpointPaths } from "../names.ts";
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
  errorBody: openaiErrorBody,
  writeStop: null,
  writeStream: null,
};
