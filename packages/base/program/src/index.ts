export {
  type Command,
  type CommandDefinition,
  type Context,
  defineCommand,
  type Environment,
  type Given,
  type Options,
  type Runnable,
} from "./command-line/command.ts";
export {
  type LoadCommand,
  type LoadedProgram,
  loadProgram,
  type Program,
} from "./command-line/program.ts";
export { exitCode } from "./exit-code.ts";
export { type Explanation, explainError } from "./explain-error.ts";
export { helpText } from "./help/help-text.ts";
export { closeServer, listen, requireFreeAddress } from "./http-server.ts";
export { keepTicksFast } from "./keep-ticks-fast.ts";
export {
  noOperand,
  type Operand,
  oneOperand,
  operands,
  optionalOperand,
} from "./operand.ts";
export {
  type Completion,
  flag,
  type Option,
  type OptionSettings,
  optional,
  optionalAs,
  type Refuse,
  readWithDefault,
  repeated,
  repeatedAs,
  required,
  withDefault,
} from "./option.ts";
export {
  configOption,
  jsonOption,
  type NumberSettings,
  oneOf,
  portOption,
  seconds,
  wholeNumber,
} from "./option-kinds.ts";
export { ProgramError, UsageError } from "./program-error.ts";
export { type RunOptions, runProgram } from "./run-program.ts";
export { Interruption, startProgram } from "./start-program.ts";
export { type Column, table } from "./table.ts";
