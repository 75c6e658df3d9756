/** A call over stdio: direct, through a byte pipe, and through the gate with a receipt. */
import type { Tier } from '../../../src/effect/tier.ts';
import { checkReceipts } from '../check-receipts.ts';
import { compare } from '../compare.ts';
import type { Figures } from '../compare.ts';
import { BYTE_PIPE, gateCommand, STDIO_SERVER } from '../gate-command.ts';
import type { CountedCall } from '../invoice-calls.ts';
import { openStdioLine } from '../line.ts';
import type { SuiteContext } from '../suite.ts';

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
  { name, call, madeOn }: CountedCall,
  tier: Tier,
  floor: Floor,
  inFlight: readonly number[] = [1, 64],
): Promise<StdioCalls> {
  const { rounds, seconds, era } = context.options;
  const server = [process.execPath, STDIO_SERVER];
  const { args, ledger } = gateCommand(context, `stdio-${name}`, ['--', ...server]);
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
    const against = () => ({ base: direct.name, floor: floor.name });
    figures = await compare(lines, { call, inFlight, rounds, seconds, against });
    made = madeOn(gated);
  }
  return { figures, notes: [`${checkReceipts(ledger, tier, made)}.`] };
}
