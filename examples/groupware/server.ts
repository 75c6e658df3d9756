/**
 * The groupware. `GROUPWARE_DIR` names the folder of its data; without it everything is temporary.
 * `NEXTCLOUD_URL`, `NEXTCLOUD_USER` and `NEXTCLOUD_APP_PASSWORD` name an account of a real server
 * instead, `NEXTCLOUD_CLIENT_ID` and `NEXTCLOUD_CLIENT_SECRET` its OAuth client.
 * `GROUPWARE_ZONE` is the zone of times that state none. With `GROUPWARE_EFFECTS=1` tools state their
 * whole effect in `_meta`, for a gate that trusts the server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlimsollServer, ServeContext } from 'plimsoll/server';
import { createGroupware, withEffects } from './create-groupware.ts';
import type { Endpoints } from './access/access.ts';
import type { Backend } from './backend.ts';
import { openEmbedded } from './embedded/open-embedded.ts';
import { openNextcloud } from './nextcloud/open-nextcloud.ts';

export default function createServerOfGroupware(context: ServeContext = {}): PlimsollServer {
  const folder = process.env['GROUPWARE_DIR'] ?? temporaryFolder();
  const endpoints = nextcloudEndpoints();
  const { server } = createGroupware({
    backend: openBackend(folder),
    ...(endpoints !== undefined && { endpoints }),
    grants: join(folder, 'grants.sqlite'),
    zone: process.env['GROUPWARE_ZONE'] ?? 'UTC',
    ...(process.env['GROUPWARE_EFFECTS'] === '1' && { convention: withEffects }),
    ledger: context.ledger,
    authenticate: context.authenticate,
  });
  return server;
}

function openBackend(folder: string): Backend {
  const url = process.env['NEXTCLOUD_URL'];
  if (url === undefined) return openEmbedded({ folder });
  const user = process.env['NEXTCLOUD_USER'];
  const appPassword = process.env['NEXTCLOUD_APP_PASSWORD'];
  if (user === undefined || appPassword === undefined) {
    throw new Error('NEXTCLOUD_URL needs NEXTCLOUD_USER and NEXTCLOUD_APP_PASSWORD beside it');
  }
  return openNextcloud({ url, user, appPassword });
}

/** Those of Nextcloud's own OAuth app; `undefined` leaves the sandbox. */
function nextcloudEndpoints(): Endpoints | undefined {
  const url = process.env['NEXTCLOUD_URL']?.replace(/\/+$/, '');
  const clientId = process.env['NEXTCLOUD_CLIENT_ID'];
  const clientSecret = process.env['NEXTCLOUD_CLIENT_SECRET'];
  if (url === undefined || clientId === undefined) return undefined;
  return {
    authorize: `${url}/apps/oauth2/authorize`,
    token: `${url}/apps/oauth2/api/v1/token`,
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
  };
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'groupware-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
