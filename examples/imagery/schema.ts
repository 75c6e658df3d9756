/**
 * The tables of the shop: people, imagery and work here; money and access in schema-money.ts and
 * schema-access.ts. STRICT and the checks make invalid rows impossible, not just unlikely.
 */
import { ACCESS_SCHEMA } from './schema-access.ts';
import { MONEY_SCHEMA } from './schema-money.ts';

/** Incremented whenever a table changes; stored in the file's `user_version`. */
export const SCHEMA_VERSION = 2;

const PEOPLE = `
CREATE TABLE organisations (
  id   TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  card TEXT NOT NULL
) STRICT;

CREATE TABLE members (
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  user_id         TEXT NOT NULL,
  role            TEXT NOT NULL CHECK (role IN ('admin', 'member')),
  PRIMARY KEY (organisation_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  name            TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  description     TEXT,
  gcs_region      TEXT NOT NULL,
  is_archived     INTEGER NOT NULL DEFAULT 0 CHECK (is_archived IN (0, 1)),
  created_at      TEXT NOT NULL,
  updated_at      TEXT NOT NULL,
  UNIQUE (organization_id, id)
) STRICT;

CREATE TABLE project_members (
  organization_id TEXT NOT NULL,
  project_id      TEXT NOT NULL,
  user_id         TEXT NOT NULL,
  role            TEXT NOT NULL CHECK (role IN ('viewer', 'editor', 'admin')),
  PRIMARY KEY (project_id, user_id),
  FOREIGN KEY (organization_id, project_id) REFERENCES projects (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, user_id) REFERENCES members (organisation_id, user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE notifications (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL UNIQUE,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  user_id         TEXT NOT NULL,
  kind            TEXT NOT NULL,
  title           TEXT NOT NULL,
  subject         TEXT NOT NULL,
  created_at      TEXT NOT NULL,
  read_at         TEXT,
  dismissed_at    TEXT
) STRICT;
CREATE INDEX notifications_by_user ON notifications (organization_id, user_id, seq);

CREATE TABLE events (
  id              INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  at              TEXT NOT NULL,
  actor           TEXT NOT NULL,
  kind            TEXT NOT NULL,
  subject         TEXT NOT NULL
) STRICT;
CREATE TRIGGER events_stay BEFORE UPDATE ON events
BEGIN SELECT RAISE (ABORT, 'events are only added'); END;
CREATE TRIGGER events_remain BEFORE DELETE ON events
BEGIN SELECT RAISE (ABORT, 'events are only added'); END;
`;

const IMAGERY = `
CREATE TABLE scenes (
  id              TEXT PRIMARY KEY,
  vendor_id       TEXT NOT NULL,
  sensor_id       TEXT NOT NULL,
  west            REAL NOT NULL CHECK (west BETWEEN -180 AND 180),
  south           REAL NOT NULL CHECK (south BETWEEN -90 AND 90),
  east            REAL NOT NULL CHECK (east BETWEEN -180 AND 180),
  north           REAL NOT NULL CHECK (north BETWEEN -90 AND 90),
  acquired_at     TEXT NOT NULL,
  cloud_cover     INTEGER NOT NULL CHECK (cloud_cover BETWEEN 0 AND 100),
  gsd             REAL NOT NULL CHECK (gsd > 0),
  credits_per_km2 INTEGER NOT NULL CHECK (credits_per_km2 > 0),
  CHECK (south < north)
) STRICT, WITHOUT ROWID;
CREATE INDEX scenes_by_date ON scenes (acquired_at, id);

-- A scene across the antimeridian has two boxes. The tree rounds outwards; the columns with + are exact.
CREATE VIRTUAL TABLE scene_boxes USING rtree (
  id, west, east, south, north, +scene_id, +exact_west, +exact_east, +exact_south, +exact_north
);

CREATE TABLE collections (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL UNIQUE,
  project_id  TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  name        TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 255),
  description TEXT,
  color       TEXT,
  show_on_map INTEGER NOT NULL CHECK (show_on_map IN (0, 1)),
  layer_order INTEGER NOT NULL,
  created_at  TEXT NOT NULL,
  updated_at  TEXT NOT NULL,
  UNIQUE (project_id, id)
) STRICT;

CREATE TABLE items (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL UNIQUE,
  project_id         TEXT NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
  collection_id      TEXT,
  type               TEXT NOT NULL CHECK (type IN ('satellite_capture', 'derived_raster',
    'derived_vector', 'clip', 'user_raster', 'user_vector', 'external_reference')),
  name               TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 500),
  description        TEXT,
  bbox               TEXT CHECK (json_array_length(bbox) = 4),
  datetime           TEXT,
  cloud_cover        REAL CHECK (cloud_cover BETWEEN 0 AND 100),
  gsd                REAL CHECK (gsd > 0),
  properties         TEXT NOT NULL CHECK (json_type(properties) = 'object'),
  order_id           TEXT REFERENCES orders (id),
  job_id             TEXT,
  duplicated_from_id TEXT,
  created_by         TEXT NOT NULL,
  created_at         TEXT NOT NULL,
  updated_at         TEXT NOT NULL,
  FOREIGN KEY (project_id, collection_id) REFERENCES collections (project_id, id)
) STRICT;
CREATE INDEX items_by_project ON items (project_id, seq);
CREATE INDEX items_by_collection ON items (collection_id, seq);

CREATE TABLE assets (
  id         TEXT PRIMARY KEY,
  item_id    TEXT NOT NULL REFERENCES items (id) ON DELETE CASCADE,
  key        TEXT NOT NULL,
  media_type TEXT NOT NULL,
  bytes      INTEGER NOT NULL CHECK (bytes >= 0),
  band_names TEXT NOT NULL CHECK (json_type(band_names) = 'array'),
  UNIQUE (item_id, key)
) STRICT, WITHOUT ROWID;

CREATE TABLE analytics_runs (
  id              INTEGER PRIMARY KEY,
  organization_id TEXT NOT NULL REFERENCES organisations (id),
  day             TEXT NOT NULL,
  method          TEXT NOT NULL,
  seconds         INTEGER NOT NULL CHECK (seconds > 0),
  created_by      TEXT NOT NULL,
  created_at      TEXT NOT NULL
) STRICT;
CREATE INDEX analytics_runs_by_day ON analytics_runs (organization_id, day, seconds);
`;

export const SCHEMA = [PEOPLE, MONEY_SCHEMA, IMAGERY, ACCESS_SCHEMA].join('\n');
