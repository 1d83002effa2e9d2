import type { OrderIdentity } from "@proj/trading-client/wire";
import type { Order } from "../order.ts";
import { RefusalError, refuse } from "../refusal.ts";

/** The label and the request's id that an order keeps. */
export function readIdentity({
  client_tag = "",
  request_id = "",
}: OrderIdentity): Pick<Order, "clientTag" | "requestId"> {
  if (!/^\P{C}{0,64}$/u.test(client_tag)) {
    const expected = "must be at most 64 characters without control characters";
    throw new RefusalError(refuse.invalidField("client_tag", client_tag, expected));
  }
  if (!/^[\x21-\x7e]{0,64}$/.test(request_id)) {
    const expected = "must be at most 64 visible ASCII characters";
    throw new RefusalError(refuse.invalidField("request_id", request_id, expected));
  }
  return { clientTag: client_tag, requestId: request_id };
}
