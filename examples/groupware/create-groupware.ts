/** The groupware as a server under the nextcloud convention, assembled from its parts by server.ts. */
import type { Authenticate, Convention, Ledger, PlimsollServer } from 'plimsoll/server';
import { createServer, defineConvention, nextcloud } from 'plimsoll/server';
import type { Endpoints } from './access/access.ts';
import { Access } from './access/access.ts';
import type { SandboxAuthorization } from './access/sandbox-authorization.ts';
import { openSandboxAuthorization } from './access/sandbox-authorization.ts';
import type { Backend } from './backend.ts';
import { findZone } from './calendar/moments.ts';
import { Database } from '../shared/database.ts';
import { groupwareModules } from './operations.ts';
import type { Groupware } from './operations/declare.ts';
import type { Embedder } from './semantic/embedder.ts';
import { sentenceEmbedder } from './semantic/embedder.ts';
import { SemanticIndex } from './semantic/semantic-index.ts';

export interface GroupwareParts {
  readonly backend: Backend;
  /** Where grants of access are kept: a file, or `:memory:`. */
  readonly grants?: string;
  /** The authorization server. Default: one of its own on loopback, for trying things out. */
  readonly endpoints?: Endpoints | undefined;
  readonly embedder?: Embedder;
  readonly ledger?: Ledger | undefined;
  readonly authenticate?: Authenticate | undefined;
  readonly zone?: string;
  /** Default: `nextcloud`. */
  readonly convention?: Convention;
  readonly now?: () => Date;
  /** Receives the causes of failures. Default: standard error. */
  readonly report?: (message: string, cause: unknown) => void;
}

export interface OpenGroupware extends AsyncDisposable {
  readonly server: PlimsollServer;
}

/** The convention with the whole effect of each tool in `_meta`, for gates that trust the server. */
export const withEffects: Convention = defineConvention({ ...nextcloud, meta: ['effect'] });

export function createGroupware(parts: GroupwareParts): OpenGroupware {
  const { backend, now = () => new Date(), zone = 'UTC' } = parts;
  if (findZone(zone) === undefined) {
    throw new Error(`there is no time zone "${zone}"; use a name like Europe/Berlin`);
  }
  const db = new Database(parts.grants ?? ':memory:');
  let sandbox: Promise<SandboxAuthorization> | undefined;
  const access = new Access({
    db,
    now,
    endpoints: async () => {
      if (parts.endpoints !== undefined) return parts.endpoints;
      sandbox ??= openSandboxAuthorization();
      return sandbox;
    },
  });
  const groupware: Groupware = {
    backend,
    access,
    semantic: new SemanticIndex(parts.embedder ?? sentenceEmbedder()),
    zone,
    now,
  };
  const server = createServer({
    name: 'groupware',
    version: '1.0.0',
    convention: parts.convention ?? nextcloud,
    operations: Object.values(groupwareModules(groupware)).flat(),
    authenticate: parts.authenticate ?? (() => undefined),
    ...(parts.ledger !== undefined && { ledger: parts.ledger }),
    mcp: {
      instructions:
        'Read an object before you update it, and pass on the etag that you got. If an update is refused because the etag is stale, read again and decide again.',
    },
    now,
    ...(parts.report !== undefined && { report: parts.report }),
  });
  return {
    server,
    [Symbol.asyncDispose]: async () => {
      await access[Symbol.asyncDispose]();
      await (await sandbox)?.[Symbol.asyncDispose]();
      db.close();
    },
  };
}
