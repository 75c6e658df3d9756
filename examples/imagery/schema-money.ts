/**
 * The tables about money: accounts, movements between them, and everything that reserves credits. Each
 * has a key, unique per organisation, so that one intention moves credits once.
 */

export const MONEY_SCHEMA = `
CREATE TABLE accounts (
  id              TEXT PRIMARY KEY,
  organisation_id TEXT REFERENCES organisations (id),
  kind            TEXT NOT NULL CHECK (kind IN ('shop', 'available', 'reserved')),
  -- The sum of all movements, updated by the trigger below. Only the shop's account can be negative.
  balance         INTEGER NOT NULL DEFAULT 0 CHECK (balance >= 0 OR kind = 'shop'),
  CHECK ((kind = 'shop') = (organisation_id IS NULL)),
  UNIQUE (organisation_id, kind)
) STRICT, WITHOUT ROWID;

CREATE TABLE movements (
  id           INTEGER PRIMARY KEY,
  key          TEXT NOT NULL UNIQUE,
  from_account TEXT NOT NULL REFERENCES accounts (id),
  to_account   TEXT NOT NULL REFERENCES accounts (id),
  credits      INTEGER NOT NULL CHECK (credits > 0),
  reason       TEXT NOT NULL CHECK (reason IN ('opening', 'topup', 'reserve', 'charge', 'release')),
  reference    TEXT NOT NULL,
  at           TEXT NOT NULL,
  CHECK (from_account <> to_account)
) STRICT;
CREATE INDEX movements_from ON movements (from_account, id);
CREATE INDEX movements_to ON movements (to_account, id);

CREATE TRIGGER movements_count AFTER INSERT ON movements
BEGIN
  UPDATE accounts SET balance = balance - NEW.credits WHERE id = NEW.from_account;
  UPDATE accounts SET balance = balance + NEW.credits WHERE id = NEW.to_account;
END;
CREATE TRIGGER movements_stay BEFORE UPDATE ON movements
BEGIN SELECT RAISE (ABORT, 'movements are only added'); END;
CREATE TRIGGER movements_remain BEFORE DELETE ON movements
BEGIN SELECT RAISE (ABORT, 'movements are only added'); END;

CREATE TABLE orders (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  project_id      TEXT REFERENCES projects (id) ON DELETE SET NULL,
  kind            TEXT NOT NULL CHECK (kind IN ('archive', 'tasking')),
  status          TEXT NOT NULL CHECK (status IN ('placed', 'delivered', 'cancelled')),
  display_name    TEXT NOT NULL,
  tags            TEXT NOT NULL CHECK (json_type(tags) = 'array'),
  credits         INTEGER NOT NULL CHECK (credits > 0),
  key             TEXT NOT NULL,
  closing_key     TEXT,
  placed_by       TEXT NOT NULL,
  placed_at       TEXT NOT NULL,
  due_at          TEXT NOT NULL,
  closed_at       TEXT,
  CHECK ((status = 'placed') = (closed_at IS NULL)),
  CHECK (status = 'placed' OR closing_key IS NOT NULL),
  UNIQUE (organization_id, key)
) STRICT;
CREATE INDEX orders_by_organisation ON orders (organization_id, seq);
CREATE INDEX orders_due ON orders (due_at) WHERE status = 'placed';
CREATE TRIGGER orders_close_once BEFORE UPDATE OF status, credits ON orders WHEN OLD.status <> 'placed'
BEGIN SELECT RAISE (ABORT, 'the order is closed'); END;
CREATE TRIGGER orders_remain BEFORE DELETE ON orders
BEGIN SELECT RAISE (ABORT, 'orders are kept'); END;

CREATE TABLE order_captures (
  order_id TEXT NOT NULL REFERENCES orders (id),
  position INTEGER NOT NULL,
  scene_id TEXT NOT NULL REFERENCES scenes (id),
  bbox     TEXT NOT NULL CHECK (json_array_length(bbox) = 4),
  area_km2 REAL NOT NULL CHECK (area_km2 >= 0),
  credits  INTEGER NOT NULL CHECK (credits > 0),
  PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE tasking_orders (
  order_id     TEXT NOT NULL REFERENCES orders (id),
  position     INTEGER NOT NULL,
  sensor_id    TEXT NOT NULL,
  urgency      TEXT NOT NULL CHECK (urgency IN ('standard', 'priority', 'rush')),
  bbox         TEXT NOT NULL CHECK (json_array_length(bbox) = 4),
  area_km2     REAL NOT NULL CHECK (area_km2 > 0),
  window_start TEXT NOT NULL,
  window_end   TEXT NOT NULL CHECK (window_end > window_start),
  credits      INTEGER NOT NULL CHECK (credits > 0),
  PRIMARY KEY (order_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE jobs (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  project_id      TEXT REFERENCES projects (id) ON DELETE SET NULL,
  process_id      TEXT NOT NULL,
  item_id         TEXT NOT NULL,
  status          TEXT NOT NULL CHECK (status IN ('queued', 'running', 'succeeded', 'failed')),
  megapixels      REAL NOT NULL,
  credits         INTEGER NOT NULL CHECK (credits > 0),
  key             TEXT NOT NULL,
  error           TEXT,
  result_item_id  TEXT,
  created_by      TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  start_at        TEXT NOT NULL,
  due_at          TEXT NOT NULL,
  finished_at     TEXT,
  -- A deleted job keeps its row, so that its key never runs a second one.
  deleted_at      TEXT,
  CHECK ((status IN ('queued', 'running')) = (finished_at IS NULL)),
  CHECK ((status = 'failed') = (error IS NOT NULL)),
  UNIQUE (organization_id, key)
) STRICT;
CREATE INDEX jobs_by_organisation ON jobs (organization_id, seq);
CREATE INDEX jobs_due ON jobs (status, due_at);

CREATE TABLE topups (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  key             TEXT NOT NULL,
  credits         INTEGER NOT NULL CHECK (credits > 0),
  card            TEXT NOT NULL,
  status          TEXT NOT NULL CHECK (status IN ('pending', 'paid', 'declined')),
  charge_id       TEXT,
  decline_reason  TEXT,
  created_by      TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  settled_at      TEXT,
  CHECK ((status = 'paid') = (charge_id IS NOT NULL)),
  CHECK ((status = 'declined') = (decline_reason IS NOT NULL)),
  UNIQUE (organization_id, key)
) STRICT;

CREATE TABLE purchase_requests (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  credits         INTEGER NOT NULL CHECK (credits > 0),
  status          TEXT NOT NULL CHECK (status IN ('pending', 'approved', 'rejected')),
  reason          TEXT,
  requested_by    TEXT NOT NULL,
  decided_by      TEXT,
  created_at      TEXT NOT NULL,
  expires_at      TEXT NOT NULL
) STRICT;
`;
