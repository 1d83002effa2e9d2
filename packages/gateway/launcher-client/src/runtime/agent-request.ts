import type { SimulationStartRequest } from "@proj/gateway-protocol";
import { requestInside } from "../network/session-address.ts";
import type { AgentCommandOptions } from "./agent-command.ts";

/** The start request as the agent gets it: with the addresses that lead to its session from where it runs. */
export const agentRequest = (
  request: SimulationStartRequest,
  { sandbox }: Pick<AgentCommandOptions, "sandbox">,
): SimulationStartRequest => (sandbox?.network === "session" ? requestInside(request) : request);
