/** The account itself: whether the server answers, which mode a key is for, and the version of the API. */
import type { Operation } from 'plimsoll/server';
import { reads, sets } from 'plimsoll/server';
import * as z from 'zod';
import { invalid, refuse } from '../refusals.ts';
import { isVersion, LATEST } from '../versions.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, settled } from './facts.ts';
import { nothing, version } from './schemas.ts';

const described = {
  merchant_id: z.string(),
  name: z.string(),
  api_version: z.string().nullable(),
  latest_api_version: z.string(),
  is_sandbox: z.boolean(),
};

export function accountOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const describe = (id: string) => {
    const { merchant_id, name, environment, api_version } =
      store.account(id) ?? refuse('resource_not_found', 'There is no such account.');
    const is_sandbox = environment === 'test';
    return { merchant_id, name, environment, is_sandbox, api_version, latest_api_version: LATEST };
  };
  return [
    declare(shop, {
      name: 'ping',
      title: 'Ping',
      description:
        'Tells whether the server answers, and whether the key is for the sandbox or live.',
      input: nothing,
      output: z.object({ ...described, environment: z.enum(['test', 'live']) }),
      effect: reads('account', account),
      run: (_, caller) => describe(caller.account),
    }),
    declare(shop, {
      name: 'get_account',
      title: 'Get account',
      description: 'Returns the merchant with the API version that the account is pinned to.',
      input: nothing,
      output: z.object({ ...described, environment: z.enum(['test', 'live']) }),
      effect: reads('account', account),
      run: (_, caller) => describe(caller.account),
    }),
    declare(shop, {
      name: 'upgrade_account_api_version',
      title: 'Upgrade account API version',
      description:
        'Pins the account to a newer API version. There is no way back: preview_webhook_payload and compare_webhook_versions show what changes.',
      input: z.object({ version }),
      output: z.object(described).loose(),
      // No downgrade exists.
      effect: sets('account API version', { ...settled, reversible: false }),
      run: (input, caller) =>
        caller.once(() => {
          if (!isVersion(input.version)) {
            invalid('version', `${input.version} is not a version.`, 'invalid_value');
          }
          const pinned = store.account(caller.account)?.api_version ?? '';
          if (input.version < pinned) {
            refuse('invalid_state_transition', `The account is at ${pinned}; it cannot go back.`);
          }
          store.pinVersion(caller.account, input.version);
          return describe(caller.account);
        }),
    }),
  ];
}
