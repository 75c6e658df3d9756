/** A server of the kit whose operations take as long as their arguments say, and write down what they did. */
import { appendFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { PlimsollServer, ServeContext } from 'plimsoll/server';
import { createServer, creates, defineOperation, reads, spends } from 'plimsoll/server';
import * as z from 'zod';

const input = z.object({ ms: z.int().describe('Milliseconds') });

export default function createSlowServer({ ledger }: ServeContext = {}): PlimsollServer {
  const effects = process.env['EFFECTS_FILE'] ?? '/dev/null';
  const slow = (name: string, effect: ReturnType<typeof reads>, isLocal = false) =>
    defineOperation({
      name,
      title: `Slow ${name}`,
      description: 'Takes its time.',
      input,
      effect,
      ...(isLocal && { partner: { class: 'local' } as const }),
      run: async ({ ms }, { transaction }) => {
        appendFileSync(effects, `${name} began\n`);
        for (let left = ms; left > 0; left -= 500) {
          await wait(Math.min(left, 500));
          await transaction?.execute('SELECT 1');
        }
        appendFileSync(effects, `${name} done\n`);
        return { done: name };
      },
    });
  return createServer({
    name: 'slow',
    version: '1',
    operations: [
      slow('pay', spends('EUR')),
      slow('local_pay', spends('EUR'), true),
      slow('create_note', creates('note')),
      slow('get_note', reads('note')),
    ],
    ...(ledger !== undefined && { ledger }),
  });
}
