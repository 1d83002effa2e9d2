/** The form that places orders for the chosen account and symbol. */
export function startTicket(form, place) {
  const { type, amount, rate, stop, limit } = form.elements;
  const said = form.querySelector("output");
  type.addEventListener("change", () => {
    const isEntry = type.value === "entry";
    rate.closest("label").hidden = !isEntry;
    rate.required = isEntry;
  });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const is_buy = event.submitter?.value === "buy";
    // A stop of a bought position is below its entry, a limit above.
    const sign = is_buy ? 1 : -1;
    const fields = {
      is_buy,
      amount: amount.value,
      time_in_force: "GTC",
      is_in_pips: true,
      ...(stop.value === "" ? {} : { stop: -sign * Number(stop.value) }),
      ...(limit.value === "" ? {} : { limit: sign * Number(limit.value) }),
    };
    said.textContent = "…";
    said.textContent = await place(
      type.value === "entry"
        ? ["trading/create_entry_order", { ...fields, order_type: "Entry", rate: rate.value }]
        : ["trading/open_trade", { ...fields, order_type: "AtMarket", rate: 0 }],
    );
  });
}
