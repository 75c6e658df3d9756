/**
 * Fills the columns of receipts that were kept before the columns were. A body that is no receipt
 * leaves them empty: the ledger must still open, and the audit tells of it.
 */
import type { Tx } from '../store.ts';

const PAGE = 1000;

export async function fillColumns(tx: Tx): Promise<void> {
  for (let after = -1; ;) {
    const rows = await tx.execute(
      'SELECT seq, body FROM receipts WHERE seq > ? ORDER BY seq LIMIT ?',
      [after, PAGE],
    );
    // Most receipts of a page say the same, and are filled by one statement.
    const alike = Map.groupBy(rows, ({ body }) => JSON.stringify(readColumns(body)));
    for (const [columns, same] of alike) {
      const places = same.map(() => '?').join(', ');
      await tx.execute(
        `UPDATE receipts SET server = ?, decision = ?, approval = ? WHERE seq IN (${places})`,
        [...(JSON.parse(columns) as readonly string[]), ...same.map(({ seq }) => seq)],
      );
    }
    if (rows.length < PAGE) return;
    after = Number(rows.at(-1)?.['seq']);
  }
}

function readColumns(body: unknown): readonly string[] {
  const receipt = readObject(body);
  return ['server', 'decision', 'approval'].map((name) => {
    const value = receipt[name];
    return typeof value === 'string' ? value : '';
  });
}

function readObject(body: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(String(body));
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
