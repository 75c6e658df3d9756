/** A receipt as one line for people. */
import type { ReceiptRow } from '../ledger/tables.ts';

export function toLine(row: ReceiptRow): string {
  const who = row.tenant === '' ? row.principal : `${row.principal}@${row.tenant}`;
  const cells = [
    String(row.seq).padStart(6),
    new Date(row.at).toISOString(),
    row.tier.padEnd(14),
    row.operation.padEnd(24),
    (who === '' ? '-' : who).padEnd(16),
    row.outcome,
    ...(row.open_world === 1 ? ['(open world)'] : []),
  ];
  return toVisible(cells.join('  '));
}

/** Names come from callers: nothing in them may move the cursor or hide what follows. */
export function toVisible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16) ?? ''}}`,
  );
}
