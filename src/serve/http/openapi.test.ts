import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { reads, spends, varies, when, creates } from '../../effect/acts.ts';
import { defineOperation } from '../../effect/define-operation.ts';
import { openLedger } from '../../ledger/open-ledger.ts';
import { createServer } from '../create-server.ts';
import { staticTokens } from '../static-tokens.ts';
import { toOpenApi } from './openapi.ts';

const tree = z.object({
  name: z.string(),
  get children() {
    return z.array(tree);
  },
});

const server = createServer({
  name: 'shop',
  version: '2.1.0',
  authenticate: staticTokens([]),
  ledger: await openLedger('sqlite::memory:'),
  operations: [
    defineOperation({
      name: 'orders.place',
      title: 'Place Order',
      description: 'Buys it.',
      input: z.object({
        item: z.string().describe('What'),
        gift: z.boolean().default(false).describe('Free'),
      }),
      output: z.object({ id: z.string() }),
      effect: varies(creates('order'), { when: when('gift', false), effect: spends('credits') }),
      scopes: ['orders:write'],
      produces: ['order'],
      run: () => ({ id: '1' }),
    }),
    defineOperation({
      name: 'tree.get',
      title: 'Get Tree',
      description: 'Gives a tree.',
      input: z.object({}),
      output: tree,
      effect: reads('tree'),
      run: () => ({ name: 'a', children: [] }),
    }),
  ],
});

describe('toOpenApi', () => {
  const document = toOpenApi(server) as {
    openapi: string;
    paths: Record<string, { post: Record<string, unknown> }>;
  };

  it('is OpenAPI 3.1 with one path for each operation', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toEqual(['/op/orders.place', '/op/tree.get']);
  });

  it('names the operation as the tool is named, and carries tier, scope and products', () => {
    expect(document.paths['/op/orders.place']?.post).toMatchObject({
      operationId: 'orders.place',
      'x-side-effect': 'external_spend',
      'x-required-scope': 'orders:write',
      'x-produces': ['order'],
      security: [{ bearer: ['orders:write'] }],
    });
    expect(document.paths['/op/tree.get']?.post).not.toHaveProperty('x-required-scope');
  });

  it('keeps references inside the schema they belong to', () => {
    expect(document.paths['/op/tree.get']?.post).toHaveProperty(
      ['responses', '200', 'content', 'application/json', 'schema'],
      expect.objectContaining({ $id: 'urn:plimsoll:schema:tree.get:output' }),
    );
  });
});
