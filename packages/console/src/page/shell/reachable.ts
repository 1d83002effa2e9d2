/** Of what scrolls: it must be reached by keyboard, whatever is in it. */
export const reachable = { tabIndex: 0 };
