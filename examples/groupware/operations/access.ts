/** The server's access to the caller's account: granted by a person in a browser, checked and revoked. */
import type { Call, Operation } from 'plimsoll/server';
import { ProblemError, provisions, reads, revokes } from 'plimsoll/server';
import * as z from 'zod';
import type { Session, SessionState } from '../access/access.ts';
import { askToOpen, stateOf } from '../ask-client.ts';
import type { Asked } from '../ask-client.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { maybe, text } from './parameters.ts';

const scopes = ['openid'];
const tokenStore = { reach: 'own-store' } as const;

const userId = maybe(text(200)).describe('Id of the user; only the caller, who is the default');

/** How long a call waits for a person who has agreed to finish in the browser. */
const PATIENCE_MS = 20_000;

export function accessOperations(groupware: Groupware): readonly Operation[] {
  const { access } = groupware;

  /** A call that comes again with an answer belongs to the session that it began. */
  const beginOnce = async (user: string, call: Call): Promise<Session> => {
    const known = stateOf(call);
    return known === undefined ? access.begin(user) : { id: known, url: '' };
  };
  const ask = (call: Call, { id, url }: Session): Promise<Asked<boolean>> =>
    askToOpen(call, {
      message: 'Sign in to grant this server access to your account.',
      url,
      state: id,
    });
  const outcomeOf = (user: string, asked: Asked<boolean>, call: Call): Promise<SessionState> => {
    if (asked.kind !== 'answered' || !asked.answer) return Promise.resolve('denied');
    return access.wait(asked.state ?? '', user, PATIENCE_MS, call.signal);
  };

  return [
    declare(groupware, {
      name: 'provision_nextcloud_access',
      title: 'Grant Server Access to Nextcloud',
      description:
        'Asks the person to grant this server access to their account in a browser. Each call opens a new session. If the client cannot show an address, it is returned for the person to open.',
      input: z.object({ user_id: userId }),
      output: z.object({
        status: z.enum(['granted', 'denied', 'pending', 'authorization_required']),
        authorization_url: z.string().optional().describe('For the person to open'),
      }),
      effect: provisions('access grant', ownAccount),
      scopes,
      run: async ({ user_id }, { user }, call) => {
        onlyOwn(user, user_id);
        const session = await beginOnce(user, call);
        const asked = await ask(call, session);
        if (asked.kind === 'ask') return asked.result;
        if (asked.kind === 'nobody') {
          return { status: 'authorization_required' as const, authorization_url: session.url };
        }
        return { status: await outcomeOf(user, asked, call) };
      },
    }),

    declare(groupware, {
      name: 'revoke_nextcloud_access',
      title: 'Revoke Server Access to Nextcloud',
      description: "Ends this server's access to the account and deletes its tokens.",
      input: z.object({ user_id: userId }),
      output: z.object({ revoked: z.boolean().describe('Whether there was access to revoke') }),
      effect: revokes('access grant', tokenStore),
      scopes,
      run: async ({ user_id }, { user }) => {
        onlyOwn(user, user_id);
        return { revoked: access.revoke(user) };
      },
    }),

    declare(groupware, {
      name: 'check_provisioning_status',
      title: 'Check Provisioning Status',
      description:
        'Returns whether this server has access to the account, since when and for what.',
      input: z.object({ user_id: userId }),
      output: z.object({
        is_provisioned: z.boolean(),
        granted_at: z.string().optional(),
        expires_at: z.string().optional(),
        scope: z.string().optional(),
      }),
      effect: reads('access grant', tokenStore),
      scopes,
      run: async ({ user_id }, { user }) => {
        onlyOwn(user, user_id);
        const grant = access.grantOf(user);
        return { is_provisioned: grant !== undefined, ...grant };
      },
    }),

    declare(groupware, {
      name: 'check_logged_in',
      title: 'Check Server Login Status',
      description:
        'Returns whether the person is signed in at the account. If not, and the client can show an address, the person is asked to sign in.',
      input: z.object({ user_id: userId }),
      output: z.object({ logged_in: z.boolean() }),
      effect: reads('login', tokenStore),
      scopes,
      run: async ({ user_id }, { user }, call) => {
        onlyOwn(user, user_id);
        if (access.grantOf(user) !== undefined) return { logged_in: true };
        const asked = await ask(call, await beginOnce(user, call));
        if (asked.kind === 'ask') return asked.result;
        return { logged_in: (await outcomeOf(user, asked, call)) === 'granted' };
      },
    }),
  ];
}

function onlyOwn(user: string, wanted: string | null | undefined): void {
  if (wanted == null || wanted === user) return;
  throw new ProblemError('forbidden', 'Only the access to your own account can be managed.');
}
