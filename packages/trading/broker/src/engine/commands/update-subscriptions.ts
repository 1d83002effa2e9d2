import type { UpdateSubscriptionsRequest } from "@proj/trading-client/wire";
import type { Desk } from "../desk.ts";
import { offerRow } from "../tables/offer-row.ts";
import { findInstrument } from "./checks.ts";

/** Shows or hides an instrument in the Offer table; it trades either way. */
export function updateSubscriptions(desk: Desk, request: UpdateSubscriptionsRequest): null {
  const instrument = findInstrument(desk, request.symbol);
  const quote = desk.quote(instrument.symbol);
  if (quote.visible === request.visible) return null;
  quote.visible = request.visible;
  desk.book.unsaved.quotes.add(instrument.symbol);
  const { offers } = desk.tables;
  if (request.visible) offers.insert(instrument.offerId, offerRow(desk, instrument));
  else offers.remove(instrument.offerId);
  return null;
}
