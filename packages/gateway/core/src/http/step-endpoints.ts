import type { LatestSuccessStepBody, StepsBody } from "@proj/gateway-protocol";
import { readStorage } from "../session/read-storage.ts";
import { sendJson } from "./control-answer.ts";
import type { ControlDependencies } from "./control-dependencies.ts";
import { naturalNumber, optionalText, pageLimit, requiredText } from "./query-parameters.ts";
import type { SessionEndpoint } from "./session-endpoint.ts";

/** `GET {session}/latest-success-step?model=` */
export function latestSuccessStepEndpoint({
  registry,
  store,
}: ControlDependencies): SessionEndpoint {
  return {
    method: "GET",
    opensToSessionKey: false,
    serve: async (session_id, req, res) => {
      const model = requiredText(req, "model");
      // If gateways share a storage, another one may have continued the session.
      const session = store.isShared ? null : registry.findRestored(session_id);
      const step_id =
        session === null
          ? await readStorage(store.readLatestSuccessStep({ session_id, model }))
          : (session.models.get(model)?.latestSuccessStep ?? null);
      const body: LatestSuccessStepBody = { session_id, model, step_id };
      sendJson(res, body);
    },
  };
}

/** `GET {session}/steps?model=&after=&limit=` */
export function stepsEndpoint({ store }: ControlDependencies): SessionEndpoint {
  return {
    method: "GET",
    opensToSessionKey: false,
    serve: async (session_id, req, res) => {
      const model = optionalText(req, "model");
      const after = naturalNumber(req, "after");
      const limit = pageLimit(req);
      const page: StepsBody = await readStorage(
        store.readSteps({ session_id, model, after, limit }),
      );
      sendJson(res, page);
    },
  };
}
