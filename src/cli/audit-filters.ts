/** The flags with which the audit commands select receipts, and what their printing shares. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Command } from 'commander';
import { InvalidArgumentError } from 'commander';
import type { Tier } from '../effect/tier.ts';
import type { ReceiptFilter } from '../ledger/receipts/read-receipts.ts';
import { toTier } from './option-values.ts';

export interface FilterFlags {
  readonly operation?: string;
  readonly server?: string;
  readonly tier?: Tier;
  readonly principal?: string;
  readonly outcome?: string;
  readonly openWorld?: true;
  readonly since?: number;
}

const UNITS: Readonly<Record<string, number>> = Object.freeze({
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
});

export function withFilters(command: Command): Command {
  return command
    .option('--operation <name>', 'only calls of this operation')
    .option('--server <name>', 'only calls of this server')
    .option('--tier <tier>', 'only calls of this tier, such as spends or external_spend', toTier)
    .option('--principal <id>', 'only calls by this principal')
    .option(
      '--outcome <code>',
      'only calls with this outcome: success, tool-error, or the code of a problem',
    )
    .option('--open-world', 'only calls that reached beyond what their server or caller owns')
    .option(
      '--since <time>',
      'only calls since then: 2026-01-31, 2026-01-31T08:00Z, 90m, 7d',
      toTime,
    );
}

export function toFilter(flags: FilterFlags): ReceiptFilter {
  const { operation, server, tier, principal, outcome, openWorld, since } = flags;
  return {
    ...(operation !== undefined && { operation }),
    ...(server !== undefined && { server }),
    ...(tier !== undefined && { tier }),
    ...(principal !== undefined && { principal }),
    ...(outcome !== undefined && { outcome }),
    ...(openWorld !== undefined && { openWorld }),
    ...(since !== undefined && { since }),
  };
}

export function toCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('must be a whole number above zero.');
}

export function toTime(text: string): number {
  const [, amount, unit = ''] = /^(\d+)([smhd])$/.exec(text) ?? [];
  const time =
    amount === undefined ? Date.parse(text) : Date.now() - Number(amount) * (UNITS[unit] ?? 0);
  if (Number.isFinite(time)) return time;
  throw new InvalidArgumentError('must be a date, or how long ago, such as 90m or 7d.');
}

/** Names come from callers: they must not move the cursor or hide what follows. */
export function toVisible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}

/** Prints lines as fast as they are read, and ends quietly when the reader stops (`… | head`). */
export async function printLines(lines: AsyncIterable<string>): Promise<void> {
  async function* ended(): AsyncGenerator<string, void> {
    for await (const line of lines) yield `${line}\n`;
  }
  try {
    await pipeline(Readable.from(ended()), process.stdout, { end: false });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
}
