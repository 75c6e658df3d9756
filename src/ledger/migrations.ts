/** The tables of each version, in SQL that both stores understand. Never changed once released. */
import { readVersion, refuseNewer } from './check-version.ts';
import { fillCounts } from './receipts/fill-counts.ts';
import type { Tx } from './store.ts';

interface Migration {
  readonly version: number;
  readonly statements: readonly string[];
  /** After the statements, where the new tables are made from the old ones. */
  readonly fill?: (tx: Tx) => Promise<void>;
}

/** The type of a number that rows are stored under: SQLite does so for this spelling alone. */
type RowNumber = 'INTEGER' | 'BIGINT';

const toMigrations = (rowNumber: RowNumber): readonly Migration[] => [
  {
    version: 1,
    statements: [
      `CREATE TABLE key_records (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL,
        principal TEXT NOT NULL,
        operation TEXT NOT NULL,
        key_hint TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN
          ('CLAIMED', 'DISPATCHED', 'SUCCEEDED', 'FAILED_FINAL', 'UNKNOWN', 'TOMBSTONE')),
        fence BIGINT NOT NULL CHECK (fence > 0),
        owner TEXT NOT NULL,
        lease_until BIGINT NOT NULL,
        effect_class TEXT NOT NULL,
        attempt TEXT NOT NULL,
        partner_key TEXT NOT NULL,
        dispatched_at BIGINT NOT NULL,
        outcome TEXT NOT NULL,
        evidence TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        updated_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL
      )`,
      // One for all states: a key record changes its state twice in a call, and every index with it.
      'CREATE INDEX key_records_to_sweep ON key_records (state, expires_at)',
      // The log is written on the way of a call, the index behind it: one row in one tree against eight.
      `CREATE TABLE receipt_log (
        seq ${rowNumber} PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        body TEXT NOT NULL,
        salt TEXT NOT NULL,
        args TEXT NOT NULL
      )`,
      `CREATE TABLE receipt_index (
        seq ${rowNumber} PRIMARY KEY,
        at BIGINT NOT NULL,
        operation TEXT NOT NULL,
        tier TEXT NOT NULL,
        open_world BIGINT NOT NULL,
        principal TEXT NOT NULL,
        tenant TEXT NOT NULL,
        outcome TEXT NOT NULL,
        key_record TEXT NOT NULL,
        leaf TEXT NOT NULL,
        server TEXT NOT NULL,
        decision TEXT NOT NULL,
        approval TEXT NOT NULL
      )`,
      // A cross join, because SQLite then searches the index first and never the log.
      `CREATE VIEW receipts AS
        SELECT i.seq, l.id, i.at, i.operation, i.tier, i.open_world, i.principal, i.tenant, i.outcome,
          i.key_record, l.body, i.leaf, l.salt, l.args, i.server, i.decision, i.approval
        FROM receipt_index i CROSS JOIN receipt_log l WHERE l.seq = i.seq`,
      'CREATE INDEX receipts_open_world ON receipt_index (open_world, seq)',
      `CREATE TABLE checkpoints (
        size BIGINT PRIMARY KEY,
        at BIGINT NOT NULL,
        note TEXT NOT NULL
      )`,
      `CREATE TABLE secrets (
        id TEXT PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        prefix TEXT NOT NULL,
        subject TEXT NOT NULL,
        tenant TEXT NOT NULL,
        principal TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        used_at BIGINT NOT NULL,
        revoked_at BIGINT NOT NULL
      )`,
      `CREATE TABLE counters (
        name TEXT PRIMARY KEY,
        value BIGINT NOT NULL
      )`,
      'CREATE INDEX key_records_alike ON key_records (fingerprint, created_at)',
      `CREATE TABLE approvals (
        id TEXT PRIMARY KEY,
        state TEXT NOT NULL CHECK (state IN
          ('PENDING', 'APPROVED', 'DECLINED', 'USED', 'EXPIRED', 'WITHDRAWN')),
        tenant TEXT NOT NULL,
        principal TEXT NOT NULL,
        session TEXT NOT NULL,
        server TEXT NOT NULL,
        tool TEXT NOT NULL,
        tier TEXT NOT NULL,
        mode TEXT NOT NULL,
        definition TEXT NOT NULL,
        arguments TEXT NOT NULL,
        display TEXT NOT NULL,
        policy TEXT NOT NULL,
        card TEXT NOT NULL,
        approver TEXT NOT NULL,
        channel TEXT NOT NULL,
        reason TEXT NOT NULL,
        continuation TEXT NOT NULL,
        key_record TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        decided_at BIGINT NOT NULL,
        used_at BIGINT NOT NULL,
        caller_gone_at BIGINT NOT NULL,
        form_dismissed_at BIGINT NOT NULL
      )`,
      'CREATE INDEX approvals_to_decide ON approvals (state, created_at)',
      'CREATE INDEX approvals_alike ON approvals (arguments, state)',
      `CREATE TABLE grants (
        id TEXT PRIMARY KEY,
        tenant TEXT NOT NULL,
        principal TEXT NOT NULL,
        session TEXT NOT NULL,
        server TEXT NOT NULL,
        tool TEXT NOT NULL,
        definition TEXT NOT NULL,
        arguments TEXT NOT NULL,
        policy TEXT NOT NULL,
        mode TEXT NOT NULL,
        approver TEXT NOT NULL,
        channel TEXT NOT NULL,
        approval TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL,
        revoked_at BIGINT NOT NULL
      )`,
      'CREATE INDEX grants_of_tool ON grants (principal, tool, expires_at)',
      `CREATE TABLE budgets (
        id TEXT PRIMARY KEY,
        budget TEXT NOT NULL,
        tenant TEXT NOT NULL,
        principal TEXT NOT NULL,
        starts_at BIGINT NOT NULL,
        ends_at BIGINT NOT NULL,
        used BIGINT NOT NULL CHECK (used >= 0)
      )`,
      'CREATE INDEX budgets_to_drop ON budgets (ends_at)',
      // Values that nearly all receipts have are not indexed: it would cost and not help.
      "CREATE INDEX receipts_server ON receipt_index (server, seq) WHERE server <> ''",
      'CREATE INDEX receipts_operation ON receipt_index (operation, seq)',
      'CREATE INDEX receipts_principal ON receipt_index (principal, seq)',
      "CREATE INDEX receipts_tier ON receipt_index (tier, seq) WHERE tier <> 'read'",
      "CREATE INDEX receipts_decision ON receipt_index (decision, seq) WHERE decision <> 'ran'",
      "CREATE INDEX receipts_outcome ON receipt_index (outcome, seq) WHERE outcome <> 'success'",
      "CREATE INDEX receipts_key_record ON receipt_index (key_record, seq) WHERE key_record <> ''",
      "CREATE INDEX receipts_approval ON receipt_index (approval, seq) WHERE approval <> ''",
      'CREATE INDEX receipts_time ON receipt_index (at, tier, decision, server)',
      `CREATE TABLE ledger_keys (
        name TEXT PRIMARY KEY,
        key_id TEXT NOT NULL,
        created_at BIGINT NOT NULL
      )`,
    ],
  },
  {
    version: 3,
    statements: [
      `CREATE TABLE gates (
        id TEXT PRIMARY KEY,
        policy TEXT NOT NULL,
        started_at BIGINT NOT NULL,
        seen_at BIGINT NOT NULL
      )`,
      'CREATE INDEX gates_seen ON gates (seen_at)',
      `CREATE TABLE gated_servers (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        address TEXT NOT NULL,
        gate TEXT NOT NULL,
        state TEXT NOT NULL,
        era TEXT NOT NULL,
        trusted BIGINT NOT NULL,
        mode TEXT NOT NULL,
        tools TEXT NOT NULL,
        seen_at BIGINT NOT NULL
      )`,
      `CREATE TABLE console_sessions (
        id TEXT PRIMARY KEY,
        digest TEXT NOT NULL UNIQUE,
        place TEXT NOT NULL,
        who TEXT NOT NULL,
        browser TEXT NOT NULL,
        created_at BIGINT NOT NULL,
        used_at BIGINT NOT NULL,
        ends_at BIGINT NOT NULL
      )`,
      `CREATE TABLE console_links (
        digest TEXT PRIMARY KEY,
        place TEXT NOT NULL,
        ends_at BIGINT NOT NULL
      )`,
      "ALTER TABLE approvals ADD COLUMN gate TEXT NOT NULL DEFAULT ''",
      'ALTER TABLE approvals ADD COLUMN held_until BIGINT NOT NULL DEFAULT 0',
      "ALTER TABLE grants ADD COLUMN scope TEXT NOT NULL DEFAULT ''",
      "ALTER TABLE grants ADD COLUMN accepted TEXT NOT NULL DEFAULT ''",
      'ALTER TABLE grants ADD COLUMN used_at BIGINT NOT NULL DEFAULT 0',
    ],
  },
  {
    version: 4,
    statements: ["ALTER TABLE key_records ADD COLUMN address TEXT NOT NULL DEFAULT ''"],
  },
  {
    version: 5,
    statements: ["ALTER TABLE gated_servers ADD COLUMN lock_file TEXT NOT NULL DEFAULT ''"],
  },
  {
    version: 6,
    statements: [
      // The same as `receipts`, for searches that do not bring the index up to date first.
      `CREATE VIEW indexed_receipts AS
        SELECT i.seq, l.id, i.at, i.operation, i.tier, i.open_world, i.principal, i.tenant, i.outcome,
          i.key_record, l.body, i.leaf, l.salt, l.args, i.server, i.decision, i.approval
        FROM receipt_index i CROSS JOIN receipt_log l WHERE l.seq = i.seq`,
      // Of calls and of money, in spans of one hour and of a day.
      `CREATE TABLE usage_counts (
        hours BIGINT NOT NULL,
        starts_at BIGINT NOT NULL,
        tier TEXT NOT NULL,
        decision TEXT NOT NULL,
        server TEXT NOT NULL,
        calls BIGINT NOT NULL,
        PRIMARY KEY (hours, starts_at, tier, decision, server)
      )`,
      `CREATE TABLE usage_money (
        hours BIGINT NOT NULL,
        starts_at BIGINT NOT NULL,
        server TEXT NOT NULL,
        unit TEXT NOT NULL,
        calls BIGINT NOT NULL,
        amount DOUBLE PRECISION NOT NULL,
        PRIMARY KEY (hours, starts_at, server, unit)
      )`,
    ],
    fill: fillCounts,
  },
];

export const NEWEST_VERSION: number = Math.max(
  ...toMigrations('BIGINT').map(({ version }) => version),
);

/** Changing the tables of a large ledger takes longer than any other transaction may. */
export const MIGRATION_MS = 600_000;

/** Migrates a store to the newest version, once, when it is first opened by a program that reads that one. */
export async function migrate(tx: Tx, rowNumber: RowNumber): Promise<void> {
  await tx.execute('CREATE TABLE IF NOT EXISTS ledger_version (version BIGINT PRIMARY KEY)');
  const version = await readVersion(tx);
  refuseNewer(version, NEWEST_VERSION);
  for (const migration of toMigrations(rowNumber).filter((each) => each.version > version)) {
    for (const statement of migration.statements) {
      await tx.execute(statement);
    }
    await migration.fill?.(tx);
    await tx.execute('INSERT INTO ledger_version (version) VALUES (?)', [migration.version]);
  }
}
