import { query } from "@proj/database";
import { parameter } from "@proj/database/queries";
import type { StoreRunner, StoreSource } from "../../dialect.ts";
import { parseMeta } from "../../meta-json.ts";
import type { StoredResponse } from "../../store.ts";
import { maxObjects } from "./max-objects.ts";

// Every row that may have the member; rows that have it only inside a string are dropped below.
const find = query(({ db }: StoreSource) =>
  db
    .selectFrom("stored_steps")
    .select(["request_id", "model", "step_id", "status_code", "meta_json"])
    .where("session_id", "=", parameter<string>("session_id"))
    .where("meta_json", "like", '%"response_id"%')
    .orderBy("id", "desc")
    .limit(maxObjects),
);

/** The latest responses of a session that an upstream may have kept, oldest first. */
export async function readResponses(
  runner: StoreRunner,
  session_id: string,
): Promise<readonly StoredResponse[]> {
  const { rows } = await runner.run(find, { session_id });
  return rows.toReversed().flatMap(({ meta_json, status_code, ...row }): StoredResponse[] => {
    const { response_id, replica, endpoint, continues, store } = parseMeta(meta_json) ?? {};
    if (typeof response_id !== "string") return [];
    return [
      {
        ...row,
        response_id,
        replica: typeof replica === "string" ? replica : null,
        is_stored: store !== false,
        endpoint: typeof endpoint === "string" ? endpoint : null,
        conversation_id: status_code === 200 ? conversationIn(continues) : null,
        pending_meta_json: status_code === pendingStatus ? meta_json : null,
      },
    ];
  });
}

function conversationIn(continues: unknown): string | null {
  if (typeof continues !== "object" || continues === null) return null;
  const { by, id } = continues as { readonly by?: unknown; readonly id?: unknown };
  return by === "conversation" && typeof id === "string" ? id : null;
}

/** The status of a step with an answer that is still being made in the background. */
const pendingStatus = 202;
