/**
 * Calls for other systems, one per line, the newest first. Read page by page, as fast as the reader
 * consumes it.
 */
import { originOf } from '../../ledger/receipts/checkpoint-note.ts';
import { findReceipt } from '../../ledger/receipts/read-receipts.ts';
import { toOcsf } from '../../ledger/receipts/to-ocsf.ts';
import type { Store } from '../../ledger/store.ts';
import type { CallFilter } from './call-filter.ts';
import { findCalls } from './find-calls.ts';

export type ExportFormat = 'jsonl' | 'ocsf';

export const EXPORT_FORMATS: Readonly<
  Record<ExportFormat, { readonly word: string; readonly ending: string }>
> = Object.freeze({
  jsonl: { word: 'JSON lines', ending: 'jsonl' },
  ocsf: { word: 'OCSF 1.9.0', ending: 'ocsf.jsonl' },
});

const A_PAGE = 500;

/** Fails at a receipt that cannot be read, rather than omitting it. */
export function exportCalls(
  store: Store,
  filter: CallFilter,
  format: ExportFormat,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let before = Number.MAX_SAFE_INTEGER;
  let origin: string | undefined;
  return new ReadableStream({
    async pull(controller) {
      origin ??= originOf((await findReceipt(store, '0'))?.leaf ?? '');
      for (let lines = ''; lines === '';) {
        const { calls, next } = await findCalls(store, filter, {
          before,
          limit: A_PAGE,
          polls: true,
        });
        for (const row of calls) {
          lines += `${format === 'ocsf' ? JSON.stringify(toOcsf(row, origin)) : row.body}\n`;
        }
        if (lines !== '') controller.enqueue(encoder.encode(lines));
        if (next === undefined) return controller.close();
        before = next;
      }
    },
  });
}
