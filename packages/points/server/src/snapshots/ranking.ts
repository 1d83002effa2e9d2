/** Lines per block: a page is a few blocks, and little is read for a single line. */
export const linesPerBlock = 25;
