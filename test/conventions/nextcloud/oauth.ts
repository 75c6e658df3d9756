/**
 * Nextcloud's access tools. All but the grant itself work on the server's own token store and do
 * not reach the backend.
 */
import type { Declaration } from 'plimsoll';
import { provisions, reads, revokes } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const OPENID = ['openid'];
const tokenStore = { reach: 'own-store' } as const;

export const oauth: readonly Declaration[] = [
  declare(
    'provision_nextcloud_access',
    'Grant Server Access to Nextcloud',
    provisions('access grant', ownAccount),
    OPENID,
  ),
  declare(
    'revoke_nextcloud_access',
    'Revoke Server Access to Nextcloud',
    revokes('access grant', tokenStore),
    OPENID,
  ),
  declare(
    'check_provisioning_status',
    'Check Provisioning Status',
    reads('access grant', tokenStore),
    OPENID,
  ),
  declare('check_logged_in', 'Check Server Login Status', reads('login', tokenStore), OPENID),
];
