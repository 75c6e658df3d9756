/** Everything that an embedded groupware holds, as one text to compare. For tests. */
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export function snapshot(folder: string): string {
  const hash = createHash('sha256');
  for (const name of ['groupware.sqlite', 'grants.sqlite']) {
    const path = join(folder, name);
    if (existsSync(path)) hash.update(dump(path));
  }
  for (const path of globSync('files/**', { cwd: folder }).toSorted()) {
    hash.update(path);
    const place = join(folder, path);
    // A write of the same bytes leaves the same file.
    if (statSync(place).isFile()) hash.update(readFileSync(place));
  }
  return hash.digest('hex');
}

/** Without what SQLite keeps for itself. */
function dump(path: string): string {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = db
      .prepare(
        `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'
         AND name NOT LIKE '%\\_text\\_%' ESCAPE '\\' ORDER BY name`,
      )
      .all();
    return JSON.stringify(
      tables.map(({ name }) => [name, db.prepare(`SELECT * FROM "${String(name)}"`).all()]),
    );
  } finally {
    db.close();
  }
}
