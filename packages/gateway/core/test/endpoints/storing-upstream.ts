import {
  type RecordedRequest,
  responseObject,
  responseStream,
  startFaultyUpstream,
} from "@proj/test-kit";

export interface StoringUpstream {
  readonly url: string;
  readonly requests: readonly RecordedRequest[];
  /** The background response is done. */
  finish(id: string): void;
  close(): Promise<void>;
}

/** Stores responses and conversations; background ones end when `finish` is called. */
export async function startStoringUpstream(name: string): Promise<StoringUpstream> {
  const kept = new Map<string, object>();
  let made = 0;
  const upstream = await startFaultyUpstream(async (request, reply) => {
    const [path = "", query] = request.path.split("?");
    const [, , kind, id, part] = path.split("/");
    const body = request.body.length > 0 ? JSON.parse(request.body.toString()) : {};
    if (request.method === "POST" && id === undefined) {
      const object =
        kind === "conversations"
          ? { id: `conv_${name}_${made++}`, object: "conversation", created_at: 1, metadata: {} }
          : {
              ...responseObject({ id: `resp_${name}_${made++}` }),
              ...(body.background ? { status: "queued", output: [], usage: null } : {}),
            };
      kept.set(object.id, object);
      if (body.stream)
        return void (await reply.events(responseStream(responseObject({ id: object.id }))));
      return void (await reply.json(object));
    }
    const object = kept.get(id ?? "");
    if (object === undefined)
      return void (await reply.json({ error: { message: "gone" } }, { status: 404 }));
    if (part === "cancel") kept.set(id ?? "", { ...object, status: "cancelled" });
    if (part === "input_items" || part === "items") {
      const data = [
        { id: "msg_1", type: "message", query: query ?? null, sent: body.items ?? null },
      ];
      const list = { object: "list", data, first_id: "msg_1", last_id: "msg_1", has_more: false };
      return void (await reply.json(list));
    }
    if (request.method === "DELETE") {
      kept.delete(id ?? "");
      return void (await reply.json({ id, object: "response", deleted: true }));
    }
    return void (await reply.json(kept.get(id ?? "") ?? {}));
  });
  return {
    url: upstream.url,
    requests: upstream.requests,
    finish: (id) => void kept.set(id, responseObject({ id, text: "Late." })),
    close: () => upstream.close(),
  };
}
