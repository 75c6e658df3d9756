/** A small server for transport tests: notes in memory, one operation of each interesting kind. */
import type { Authenticate, Convention, Ledger, Operation, PlimsollServer } from 'plimsoll/server';
import {
  computes,
  createServer,
  creates,
  defineOperation,
  deletes,
  ProblemError,
  reads,
  staticTokens,
} from 'plimsoll/server';
import * as z from 'zod';

export interface Notes {
  readonly server: PlimsollServer;
  /** How often any operation really ran. */
  readonly runs: () => number;
}

export const TOKENS = { writer: 'token-writer', reader: 'token-reader', stale: 'token-stale' };

const authenticate: Authenticate = staticTokens([
  { token: TOKENS.writer, principal: { id: 'wanda', scopes: ['notes:*'] } },
  { token: TOKENS.reader, principal: { id: 'rita', scopes: ['notes:read'] } },
  { token: TOKENS.stale, principal: { id: 'wanda', scopes: ['notes:*'], expiresAt: 1 } },
]);

export function notesServer(options: { convention?: Convention; ledger?: Ledger } = {}): Notes {
  const notes = new Map<number, string>();
  let runs = 0;
  const counted = <T>(work: () => T): T => {
    runs += 1;
    return work();
  };
  const id = z.int().describe('Which note');
  const operations: readonly Operation[] = [
    defineOperation({
      name: 'count_notes',
      title: 'Count Notes',
      description: 'Tells how many notes there are.',
      input: z.object({}),
      output: z.object({ count: z.int() }),
      effect: reads('note'),
      icons: [{ src: 'https://example.invalid/count.png', mimeType: 'image/png' }],
      run: () => counted(() => ({ count: notes.size })),
    }),
    defineOperation({
      name: 'get_note',
      title: 'Get Note',
      description: 'Gives one note.',
      input: z.object({ id }),
      output: z.object({ text: z.string() }),
      effect: reads('note'),
      scopes: ['notes:read'],
      run: (input) =>
        counted(() => {
          const text = notes.get(input.id);
          if (text === undefined)
            throw new ProblemError('not-found', `There is no note ${input.id}.`);
          return { text };
        }),
    }),
    defineOperation({
      name: 'create_note',
      title: 'Create Note',
      description: 'Adds a note.',
      input: z.object({ text: z.string().max(1000).describe('What to write') }),
      output: z.object({ id: z.int() }),
      effect: creates('note'),
      scopes: ['notes:write'],
      produces: ['note'],
      run: ({ text }) =>
        counted(() => {
          notes.set(notes.size + 1, text);
          return { id: notes.size };
        }),
    }),
    defineOperation({
      name: 'delete_note',
      title: 'Delete Note',
      description: 'Deletes a note for good.',
      input: z.object({ id }),
      effect: deletes('note'),
      scopes: ['notes:write'],
      run: (input) => counted(() => void notes.delete(input.id)),
    }),
  ];
  const priced = defineOperation({
    name: 'print_note',
    title: 'Print Note',
    description: 'Prints a note for 240 credits.',
    input: z.object({ id }),
    effect: computes('print job'),
    scopes: ['notes:write'],
    run: () => {
      throw new ProblemError('payment-required', 'The balance is 3 credits; printing costs 240.');
    },
  });
  const server = createServer({
    name: 'notes',
    version: '1.0.0',
    operations: [...operations, priced],
    authenticate,
    ...options,
  });
  return { server, runs: () => runs };
}
