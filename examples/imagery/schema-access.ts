/** The tables of access credentials. Only digests of secrets are stored, so nothing here grants access. */

export const ACCESS_SCHEMA = `
CREATE TABLE share_links (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  project_id      TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  item_id         TEXT REFERENCES items (id) ON DELETE CASCADE,
  collection_id   TEXT REFERENCES collections (id) ON DELETE CASCADE,
  permission      TEXT NOT NULL CHECK (permission IN ('view', 'download')),
  token_hash      TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
  password_hash   TEXT,
  expires_at      TEXT NOT NULL,
  revoked_at      TEXT,
  created_by      TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  CHECK ((item_id IS NULL) <> (collection_id IS NULL))
) STRICT;
CREATE TRIGGER share_links_stay_revoked BEFORE UPDATE OF revoked_at ON share_links
WHEN OLD.revoked_at IS NOT NULL
BEGIN SELECT RAISE (ABORT, 'a revoked link stays revoked'); END;

CREATE TABLE exports (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  asset_id        TEXT NOT NULL REFERENCES assets (id) ON DELETE CASCADE,
  created_by      TEXT NOT NULL,
  created_at      TEXT NOT NULL
) STRICT;

CREATE TABLE api_keys (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  name            TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  prefix          TEXT NOT NULL,
  hash            TEXT NOT NULL UNIQUE CHECK (length(hash) = 64),
  permissions     TEXT NOT NULL CHECK (json_type(permissions) = 'array'),
  expires_at      TEXT,
  revoked_at      TEXT,
  created_by      TEXT NOT NULL,
  created_at      TEXT NOT NULL
) STRICT;
CREATE TRIGGER api_keys_stay_revoked BEFORE UPDATE OF revoked_at ON api_keys
WHEN OLD.revoked_at IS NOT NULL
BEGIN SELECT RAISE (ABORT, 'a revoked key stays revoked'); END;
`;
