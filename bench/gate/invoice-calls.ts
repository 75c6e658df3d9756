/** The calls of the runs. They count themselves, so that receipts can be counted against them. */
import type { Line } from './line.ts';
import type { Call } from './load-line.ts';

export interface CountedCall {
  /** Names the ledger of the run. */
  readonly name: string;
  readonly call: Call;
  readonly madeOn: (line: Line) => number;
}

export function lookUp(): CountedCall {
  return counted('get_invoice', (index) => ({ invoice_id: `INV-2026-${index % 1000}` }));
}

/** Each with different arguments: an identical second one would be asked about. */
export function pay(): CountedCall {
  return counted('pay_invoice', (index) => ({
    invoice_id: `INV-2026-${index}`,
    amount: 12.5,
    memo: 'Quarterly settlement, as agreed',
  }));
}

export function annotate(): CountedCall {
  return counted('update_note', (index) => ({ invoice_id: `INV-2026-${index}`, note: 'checked' }));
}

export function download(bytes: number): CountedCall {
  const { name, ...rest } = counted('get_document', () => ({ bytes }));
  return { name: `${name}-${bytes}`, ...rest };
}

function counted(
  name: string,
  toArguments: (index: number) => Record<string, unknown>,
): CountedCall {
  const made = new Map<Line, number>();
  return {
    name,
    call: async (line) => {
      const index = (made.get(line) ?? 0) + 1;
      made.set(line, index);
      const result = await line.client.callTool({ name, arguments: toArguments(index) });
      if (result.isError === true) throw new Error(`${line.name}: ${JSON.stringify(result)}`);
    },
    madeOn: (line) => made.get(line) ?? 0,
  };
}
