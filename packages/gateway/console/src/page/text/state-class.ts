/** What the style sheet knows. A state may be data of a file, and could name any other class of the page. */
const styled: ReadonlySet<string> = new Set([
  ...["busy", "active", "closing", "closed", "stored"],
  ...["pending", "running", "finished", "failed", "infrastructure", "interrupted"],
]);

/** The class of a label that shows a state. */
export const stateClass = (state: string): string =>
  styled.has(state) ? `state ${state}` : "state";
