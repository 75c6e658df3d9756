/** A call over stdio: direct, through a byte pipe, and through the gate with a receipt. */
import type { Tier } from '../../../src/effect/tier.ts';
import { checkReceipts } from '../check-receipts.ts';
import { compare } from '../compare.ts';
import type { Figures } from '../compare.ts';
import { BYTE_PIPE, gateCommand, STDIO_SERVER } from '../gate-command.ts';
import type { CountedCall } from '../invoice-calls.ts';
import { openStdioLine } from '../line.ts';
import type { SuiteContext } from '../suite.ts';
import { figuresOf } from '../suite.ts';

export interface StdioCalls {
  readonly figures: readonly Figures[];
  readonly notes: readonly string[];
}

/** A byte pipe that does the minimum. */
export interface Floor {
  readonly name: string;
  readonly args: readonly string[];
}

export async function measureStdioCalls(
  context: SuiteContext,
  { call, madeOn }: CountedCall,
  tier: Tier,
  floor: Floor,
): Promise<StdioCalls> {
  const { rounds, seconds, era } = context.options;
  const server = [process.execPath, STDIO_SERVER];
  const { args, ledger } = gateCommand(context, `stdio-${tier}`, ['--', ...server]);
  let figures: readonly Figures[];
  let made: number;
  {
    await using direct = await openStdioLine([STDIO_SERVER], { name: 'direct', era });
    await using pipe = await openStdioLine([BYTE_PIPE, ...floor.args, ...server], {
      name: floor.name,
      era,
      hasMiddle: true,
    });
    await using gated = await openStdioLine(args, { name: 'gate', era, hasMiddle: true });
    const lines = [direct, pipe, gated];
    figures = await compare(lines, { call, inFlight: [1, 64], rounds, seconds });
    made = madeOn(gated);
  }
  const notes = [`${checkReceipts(ledger, tier, made)}.`, toFloor(figures, floor.name)];
  return { figures, notes };
}

/** The gate's own cost, above that of any process in the middle. */
function toFloor(figures: readonly Figures[], floor: string): string {
  const one = [figuresOf(figures, 'gate', 1), figuresOf(figures, floor, 1)] as const;
  const many = [figuresOf(figures, 'gate', 64), figuresOf(figures, floor, 64)] as const;
  const p50 = one[0].p50.median / one[1].p50.median;
  const rate = many[0].callsPerSecond.median / many[1].callsPerSecond.median;
  return `To its floor, the ${floor}: p50 ${p50.toFixed(2)}×, calls/s ${rate.toFixed(2)}×.`;
}
