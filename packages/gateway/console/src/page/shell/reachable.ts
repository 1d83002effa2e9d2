/** For anything that scrolls: the keyboard must reach it, whatever it contains. */
export const reachable = { tabIndex: 0 };
