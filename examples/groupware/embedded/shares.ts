/**
 * Shares on SQLite. Of a public link only a digest of its token is kept, so its address is known to the
 * one answer that made it.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { FileEntry, Files, Share, Shares } from '../backend.ts';
import { toPath } from '../file-path.ts';
import { found, invalid } from '../refuse.ts';
import type { Database } from '../../shared/database.ts';
import { Table } from './table.ts';

const USER = 0;
const PUBLIC_LINK = 3;
/** The bit of the permission to read. */
const READ = 1;

export interface SharesInit {
  readonly db: Database;
  readonly user: string;
  readonly files: Files;
  readonly now: () => Date;
  /** Where public links are opened, without a trailing slash. */
  readonly publicUrl: () => Promise<string>;
}

interface StoredShare extends Share {
  readonly token_hash: string | null;
}

export function embeddedShares({ db, user, files, now, publicUrl }: SharesInit): Shares {
  const shares = new Table<StoredShare>(db, 'shares', 'share');
  return {
    create: async (fields) => {
      const path = toPath(fields.path);
      await mustExist(files, path);
      const isLink = fields.share_type === PUBLIC_LINK;
      const token = randomBytes(24).toString('base64url');
      const base = isLink ? await publicUrl() : '';
      const share = shares.insert(user, {
        ...fields,
        path,
        owner: user,
        created: now().toISOString(),
        token_hash: isLink ? toHash(token) : null,
      });
      return { share: shown(share), ...(isLink && { url: `${base}/s/${token}` }) };
    },
    find: async (id) => {
      const share = shares.find(user, id);
      return share && shown(share);
    },
    list: async ({ path, withMe }) => {
      const all = withMe ? receivedBy(db, user) : shares.select(user, 'ORDER BY id');
      return all.filter((share) => path === undefined || share.path === toPath(path)).map(shown);
    },
    update: async (id, permissions) =>
      shown(found(shares.update(user, id, { permissions }), 'share', id)),
    remove: async (id) => shares.remove(user, id),
  };
}

/** The share that a public link opens, as long as it exists and permits reading. */
export function findByToken(
  db: Database,
  token: string,
): { readonly owner: string; readonly path: string } | undefined {
  const sql = 'SELECT user, path FROM shares WHERE token_hash = :hash AND permissions & :read';
  const row = db.get(sql, { hash: toHash(token), read: READ });
  return row && { owner: String(row['user']), path: String(row['path']) };
}

function receivedBy(db: Database, user: string): readonly StoredShare[] {
  const values = { me: user, type: USER };
  const mine = 'share_with = :me AND share_type = :type';
  const owners = db.all(`SELECT DISTINCT user FROM shares WHERE ${mine}`, values);
  const shares = new Table<StoredShare>(db, 'shares', 'share');
  return owners.flatMap((row) =>
    shares.select(String(row['user']), `AND ${mine} ORDER BY id`, values),
  );
}

function shown(stored: StoredShare): Share {
  const { token_hash, ...share } = stored;
  void token_hash;
  return share;
}

async function mustExist(files: Files, path: string): Promise<void> {
  if (path === '') throw invalid('/path', 'The root of the account cannot be shared.');
  const parent = path.split('/').slice(0, -1).join('/');
  const entries = await files.list(parent);
  found<FileEntry>(
    entries.find((entry) => entry.path === path),
    'file or directory',
    path,
  );
}

function toHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
