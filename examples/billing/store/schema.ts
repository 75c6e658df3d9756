/**
 * The tables. What describes things is a document with unique indexes where the rules need them; what is
 * about money has columns, so that the database itself keeps the books: no refund above what was paid, no
 * settled transaction that changes, no order that disappears.
 */

export const SCHEMA_VERSION = 1;

export const SCHEMA = `
CREATE TABLE accounts (
  id          TEXT PRIMARY KEY,
  merchant_id TEXT NOT NULL,
  name        TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('test', 'live')),
  api_version TEXT
) STRICT;

CREATE TABLE api_keys (
  hash       TEXT PRIMARY KEY,
  account    TEXT NOT NULL REFERENCES accounts (id),
  restricted INTEGER NOT NULL CHECK (restricted IN (0, 1)),
  revoked_at TEXT
) STRICT;

CREATE TABLE objects (
  seq        INTEGER PRIMARY KEY,
  id         TEXT NOT NULL UNIQUE,
  account    TEXT NOT NULL REFERENCES accounts (id),
  kind       TEXT NOT NULL,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  deleted_at TEXT,
  data       TEXT NOT NULL CHECK (json_type(data) = 'object')
) STRICT;
CREATE INDEX objects_by_kind ON objects (account, kind, seq);
CREATE INDEX objects_by_customer ON objects (json_extract(data, '$.customer_id')) WHERE kind IN ('subscription', 'payment_method');
CREATE UNIQUE INDEX customer_email ON objects (account, lower(json_extract(data, '$.email')))
  WHERE kind = 'customer' AND deleted_at IS NULL;
CREATE UNIQUE INDEX customer_phone ON objects (account, json_extract(data, '$.phone'))
  WHERE kind = 'customer' AND deleted_at IS NULL;
CREATE UNIQUE INDEX product_sku ON objects (account, json_extract(data, '$.sku'))
  WHERE kind = 'product' AND deleted_at IS NULL;
CREATE UNIQUE INDEX coupon_code ON objects (account, json_extract(data, '$.code'))
  WHERE kind = 'coupon_code' AND deleted_at IS NULL;

CREATE TABLE orders (
  seq               INTEGER PRIMARY KEY,
  id                TEXT NOT NULL UNIQUE,
  account           TEXT NOT NULL REFERENCES accounts (id),
  customer_id       TEXT NOT NULL,
  payment_method_id TEXT NOT NULL,
  subscription_id   TEXT,
  cycle             INTEGER,
  status            TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'partially_refunded', 'refunded', 'voided')),
  amount            INTEGER NOT NULL CHECK (amount >= 0),
  discount          INTEGER NOT NULL DEFAULT 0 CHECK (discount >= 0),
  refunded          INTEGER NOT NULL DEFAULT 0 CHECK (refunded BETWEEN 0 AND amount),
  currency          TEXT NOT NULL CHECK (length(currency) = 3),
  data              TEXT NOT NULL CHECK (json_type(data) = 'object'),
  created_at        TEXT NOT NULL,
  -- One order for one cycle, however often its charge is tried.
  UNIQUE (subscription_id, cycle)
) STRICT;
CREATE INDEX orders_by_account ON orders (account, seq);
CREATE TRIGGER orders_remain BEFORE DELETE ON orders
BEGIN SELECT RAISE (ABORT, 'orders are kept'); END;

CREATE TABLE transactions (
  seq               INTEGER PRIMARY KEY,
  id                TEXT NOT NULL UNIQUE,
  account           TEXT NOT NULL REFERENCES accounts (id),
  order_id          TEXT NOT NULL REFERENCES orders (id),
  customer_id       TEXT NOT NULL,
  payment_method_id TEXT NOT NULL,
  type              TEXT NOT NULL CHECK (type IN ('sale', 'refund')),
  status            TEXT NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed')),
  amount            INTEGER NOT NULL CHECK (amount > 0),
  currency          TEXT NOT NULL,
  card              TEXT NOT NULL,
  processor_id      TEXT UNIQUE,
  failure_code      TEXT,
  created_at        TEXT NOT NULL,
  settled_at        TEXT,
  CHECK ((status = 'pending') = (settled_at IS NULL)),
  CHECK ((status = 'succeeded') = (processor_id IS NOT NULL))
) STRICT;
CREATE INDEX transactions_by_order ON transactions (order_id);
CREATE INDEX transactions_by_account ON transactions (account, seq);
CREATE INDEX transactions_pending ON transactions (created_at) WHERE status = 'pending';
CREATE TRIGGER transactions_settle_once BEFORE UPDATE ON transactions WHEN OLD.status <> 'pending'
BEGIN SELECT RAISE (ABORT, 'the transaction is settled'); END;
CREATE TRIGGER transactions_remain BEFORE DELETE ON transactions
BEGIN SELECT RAISE (ABORT, 'transactions are kept'); END;
-- One charge of an order is on its way at a time, and refunds on their way count as given back.
CREATE UNIQUE INDEX one_sale_at_a_time ON transactions (order_id) WHERE type = 'sale' AND status <> 'failed';
CREATE TRIGGER refunds_within_sale BEFORE INSERT ON transactions WHEN NEW.type = 'refund' AND (
  SELECT coalesce(sum(amount), 0) + NEW.amount FROM transactions
  WHERE order_id = NEW.order_id AND type = 'refund' AND status <> 'failed'
) > (
  SELECT coalesce(sum(amount), 0) FROM transactions
  WHERE order_id = NEW.order_id AND type = 'sale' AND status = 'succeeded'
)
BEGIN SELECT RAISE (ABORT, 'refund above the paid amount'); END;

-- What was done under a key, written with the deed itself.
CREATE TABLE done (
  account     TEXT NOT NULL,
  key         TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  result      TEXT NOT NULL,
  at          TEXT NOT NULL,
  PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE deliveries (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  endpoint_id TEXT NOT NULL,
  event_id    TEXT NOT NULL,
  reason      TEXT NOT NULL CHECK (reason IN ('event', 'test', 'replay')),
  status      TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
  attempts    INTEGER NOT NULL DEFAULT 0,
  next_at     TEXT NOT NULL,
  last_status INTEGER,
  last_error  TEXT,
  created_at  TEXT NOT NULL
) STRICT;
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE status = 'pending';
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, seq);
`;
