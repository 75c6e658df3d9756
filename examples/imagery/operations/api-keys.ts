/** API keys: credentials of the organisation, for programs. */
import type { Operation } from 'plimsoll/server';
import { ProblemError, reads, revokes, shares } from 'plimsoll/server';
import * as z from 'zod';
import { hashToken } from '../secret-hash.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account } from './facts.ts';
import { found } from './refuse.ts';
import { DoneOut } from './schemas.ts';

const write = ['api_keys:write'];

const KEY_PREFIX = 'gpra';
/** Enough to distinguish keys, too little to guess the rest. */
const SHOWN_LETTERS = 4;
const USUAL_DAYS = 365;

const KeyOut = z.object({
  id: z.string(),
  prefix: z.string(),
  name: z.string(),
  permissions: z.array(z.string()).readonly(),
  expires_at: z.string().nullable(),
  created_at: z.string(),
});

export function apiKeyOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'api_keys.create',
      title: 'Create API Key',
      description:
        'Creates a key with which programs act for the organisation. The key is shown only once, here.',
      input: z.object({
        name: z.string().min(1).max(200).describe('What it is for'),
        permissions: z
          .array(z.string().regex(/^\w+:\w+$/))
          .max(60)
          .default([])
          .describe('Scopes of the key; only scopes that you have'),
        expires_in_days: z
          .int()
          .min(1)
          .max(USUAL_DAYS)
          .default(USUAL_DAYS)
          .describe('When it expires; default: in a year'),
      }),
      output: KeyOut.extend({ key: z.string() }),
      effect: shares('API key', { ...account, secrets: ['key'] }),
      scopes: write,
      produces: ['api_key'],
      run: async ({ name, permissions, expires_in_days }, caller) => {
        const missing = permissions.filter((permission) => !isHeld(permission, caller.scopes));
        if (missing.length > 0) {
          const detail = `You do not have ${missing.join(', ')}, so the key cannot have it either.`;
          throw new ProblemError('forbidden', detail, { missing });
        }
        const { secret, expiresAt } = await caller.secrets().mint({
          prefix: KEY_PREFIX,
          subject: `api key ${name}`,
          ttlSeconds: expires_in_days * 86_400,
        });
        const key = secret.reveal();
        const made = store.apiKeys.create(caller, {
          name,
          permissions,
          prefix: key.slice(0, KEY_PREFIX.length + 1 + SHOWN_LETTERS),
          expires_at: expiresAt.toISOString(),
          hash: hashToken(key),
        });
        return { ...made, key };
      },
    }),

    declare(shop, {
      name: 'api_keys.list',
      title: 'List API Keys',
      description: 'Lists the keys of the organisation, without the keys themselves.',
      input: z.object({}),
      output: z.object({
        keys: z.array(KeyOut.extend({ revoked_at: z.string().nullable() })).readonly(),
      }),
      effect: reads('API key', account),
      scopes: ['api_keys:read'],
      run: (_, { organisation }) => ({ keys: store.apiKeys.list(organisation) }),
    }),

    declare(shop, {
      name: 'api_keys.revoke',
      title: 'Revoke API Key',
      description: 'Revokes a key permanently.',
      input: z.object({ key_id: z.string().max(80).describe('Which key') }),
      output: DoneOut,
      effect: revokes('API key', account),
      scopes: write,
      run: ({ key_id }, caller) => {
        const isRevoked = store.apiKeys.revoke(caller, key_id);
        return { ok: found(isRevoked || undefined, 'API key', key_id), id: key_id };
      },
    }),
  ];
}

/** Callers cannot grant more than they have. */
function isHeld(permission: string, held: readonly string[]): boolean {
  const [resource, action] = permission.split(':');
  return ['*', permission, `${resource}:*`, `*:${action}`].some((scope) => held.includes(scope));
}
