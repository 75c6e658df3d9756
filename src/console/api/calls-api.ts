/** Calls over the API: receipts by filter, newest first, page by page. */
import type { Hono } from 'hono';
import { toProblem } from '../../lib/problem.ts';
import type { ReceiptRow } from '../../ledger/tables.ts';
import type { ConsoleServices } from '../console-services.ts';
import { readFilter } from '../data/call-filter.ts';
import { findCalls } from '../data/find-calls.ts';
import type { Env } from '../env.ts';
import { refuse } from '../refuse.ts';

const USUAL = 50;
const MOST = 500;

export function registerCallsApi(app: Hono<Env>, { ledger }: ConsoleServices): void {
  app.get('/api/calls', async (context) => {
    const query = context.req.query();
    const { filter, faults } = readFilter(query);
    const [fault] = faults;
    if (fault !== undefined) return refuse(context, toProblem('invalid-input', fault));
    const before = toNumber(query['before']);
    const limit = Math.min(toNumber(query['limit']) ?? USUAL, MOST);
    const { calls, ...rest } = await findCalls(ledger.store, filter, {
      ...(before !== undefined && { before }),
      limit,
    });
    return context.json({ calls: calls.map(toView), ...rest });
  });
}

/** Neither the salt nor the arguments: whoever may answer calls need not read all that was ever sent. */
function toView({ seq, leaf, body }: ReceiptRow): unknown {
  return { seq, leaf, receipt: JSON.parse(body) as unknown };
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined;
}
