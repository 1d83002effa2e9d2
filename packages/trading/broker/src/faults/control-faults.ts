import { RefusalError, refuse } from "../engine/refusal.ts";
import type { FormReader } from "../wire/form-reader.ts";
import { faultNames, faultProblem } from "./fault-settings.ts";
import type { Faults } from "./faults.ts";

/**
 * POST /control/faults: sets the given fields; `drop_connections` drops all connections now.
 * @throws RefusalError a malformed or invalid field; nothing is done
 */
export function controlFaults(faults: Faults, form: FormReader, dropAll: () => void): void {
  const { drop_connections = false } = form.optionalBooleans("drop_connections");
  const changes = form.optionalNumbers(...faultNames);
  for (const name of faultNames) {
    const value = changes[name];
    const problem = value === undefined ? null : faultProblem(name, value);
    if (problem !== null) {
      throw new RefusalError(refuse.invalidField(name, String(value), `${problem}, but is`));
    }
  }
  faults.change(changes);
  if (drop_connections) dropAll();
}
