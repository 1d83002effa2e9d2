/**
 * Whether a suite has to be left out because the program it needs is missing; if so, prints it. With
 * REQUIRE_ALL_SUITES set, no suite is left out, so a missing program makes it fail.
 * @param remedy how to get the program
 */
export function isLeftOut(suite: string, hasProgram: boolean, remedy: string): boolean {
  if (hasProgram || process.env.REQUIRE_ALL_SUITES) return false;
  console.warn(`Left out: ${suite} (${remedy})`);
  return true;
}
