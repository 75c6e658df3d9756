/**
 * The groupware. `GROUPWARE_DIR` names the folder of its data; without it everything is temporary.
 * `GROUPWARE_ZONE` is the zone of times that state none. With `GROUPWARE_EFFECTS=1` tools state their
 * whole effect in `_meta`, for a gate that trusts the server.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlimsollServer, ServeContext } from 'plimsoll/server';
import { createGroupware, withEffects } from './create-groupware.ts';
import { openEmbedded } from './embedded/open-embedded.ts';

export default function createServerOfGroupware(context: ServeContext = {}): PlimsollServer {
  const folder = process.env['GROUPWARE_DIR'] ?? temporaryFolder();
  const backend = openEmbedded({ folder });
  const { server } = createGroupware({
    backend,
    grants: join(folder, 'grants.sqlite'),
    zone: process.env['GROUPWARE_ZONE'] ?? 'UTC',
    ...(process.env['GROUPWARE_EFFECTS'] === '1' && { convention: withEffects }),
    ledger: context.ledger,
    authenticate: context.authenticate,
  });
  return server;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'groupware-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
