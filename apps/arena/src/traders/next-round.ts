import { addTool, ToolError, type TradingMcpFactory } from "@proj/trading-mcp";
import * as z from "zod";
import type { Turns } from "../turns/turns.ts";

export interface ArenaTools {
  readonly trader: string;
  readonly turns: Turns;
  readonly symbols: readonly string[];
  /** Market time, in milliseconds since the epoch. */
  readonly now: () => number;
}

/** Lets a trader trade only in its own turn: the result must not depend on who is quicker. */
export function onlyInTurn({ trader, turns }: ArenaTools): (tool: string) => void {
  return (tool) => {
    if (tool === "next_round" || turns.has(trader)) return;
    const message = turns.isOver ? "The arena is over." : "It is not your turn: call next_round.";
    throw new ToolError("not_allowed", message);
  };
}

/** Adds `next_round`, with which a trader ends its turn and waits for the next one. */
export function withNextRound(factory: TradingMcpFactory, tools: ArenaTools): TradingMcpFactory {
  const { trader, turns, symbols, now } = tools;
  return () => {
    const server = factory();
    addTool(server, {
      name: "next_round",
      title: "Next round",
      description:
        "Ends your turn, lets the market move, and waits for your next turn. Call it first to begin.",
      isReadOnly: false,
      input: z.object({}),
      output: z.object({
        is_over: z.boolean().describe("true: there are no more turns"),
        round: z.number().describe("Starts at 1"),
        rounds: z.number().describe("Total number of rounds"),
        time: z.string().describe("Market time, ISO 8601 in UTC"),
        symbols: z.array(z.string()).describe("Tradable instruments"),
      }),
      run: async (_, signal) => {
        const turn = await turns.next(trader, signal);
        const { rounds } = turns;
        const time = new Date(now()).toISOString();
        const round = turn?.round ?? rounds;
        return { is_over: turn === null, round, rounds, time, symbols: [...symbols] };
      },
    });
    return server;
  };
}
