/** The tables of the catalogue. STRICT and the checks make invalid rows impossible, not just unlikely. */

/** Incremented whenever SCHEMA changes; stored in the file's `user_version`. */
export const SCHEMA_VERSION = 2;

export const SCHEMA = `
CREATE TABLE organisations (
  id     TEXT PRIMARY KEY,
  name   TEXT NOT NULL UNIQUE,
  domain TEXT NOT NULL
) STRICT;

CREATE TABLE brands (
  id              TEXT PRIMARY KEY,
  organisation_id TEXT NOT NULL REFERENCES organisations (id),
  name            TEXT NOT NULL,
  UNIQUE (organisation_id, name)
) STRICT;

CREATE TABLE products (
  gtin14                    TEXT PRIMARY KEY CHECK (length(gtin14) = 14 AND gtin14 NOT GLOB '*[^0-9]*'),
  brand_id                  TEXT NOT NULL REFERENCES brands (id),
  product_name              TEXT NOT NULL,
  image_url                 TEXT,
  description               TEXT,
  net_content               TEXT NOT NULL,
  gpc_code                  TEXT NOT NULL CHECK (length(gpc_code) = 8),
  gpc_title                 TEXT NOT NULL,
  height_mm                 INTEGER CHECK (height_mm > 0),
  width_mm                  INTEGER CHECK (width_mm > 0),
  depth_mm                  INTEGER CHECK (depth_mm > 0),
  gross_g                   INTEGER CHECK (gross_g > 0),
  country_of_origin         TEXT CHECK (country_of_origin GLOB '[A-Z][A-Z]'),
  confidence_score          REAL NOT NULL CHECK (confidence_score BETWEEN 0 AND 1),
  field_confidence          TEXT NOT NULL CHECK (json_valid(field_confidence)),
  is_claimed                INTEGER NOT NULL CHECK (is_claimed IN (0, 1)),
  claim_verification_status TEXT NOT NULL
    CHECK (claim_verification_status IN ('unclaimed', 'pending', 'verified', 'rejected')),
  CHECK ((height_mm IS NULL) = (width_mm IS NULL) AND (height_mm IS NULL) = (depth_mm IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE resolver_rules (
  id               TEXT PRIMARY KEY,
  scope            TEXT NOT NULL,
  organisation_id  TEXT REFERENCES organisations (id),
  brand_id         TEXT REFERENCES brands (id),
  gtin14           TEXT REFERENCES products (gtin14),
  qualifier        TEXT,
  order_index      INTEGER NOT NULL,
  link_type        TEXT,
  destination_type TEXT NOT NULL,
  custom_url       TEXT,
  is_down          INTEGER CHECK (is_down IN (0, 1)),
  when_down        TEXT CHECK (when_down IN ('skip', 'hosted')),
  absolute_from    TEXT CHECK (datetime(absolute_from) IS NOT NULL OR absolute_from IS NULL),
  absolute_until   TEXT CHECK (datetime(absolute_until) IS NOT NULL OR absolute_until IS NULL),
  annual_from      TEXT CHECK (annual_from GLOB '[01][0-9]-[0-3][0-9]'),
  annual_to        TEXT CHECK (annual_to GLOB '[01][0-9]-[0-3][0-9]'),
  days             TEXT CHECK (json_type(days) = 'array'),
  hours_from       TEXT CHECK (hours_from GLOB '[0-2][0-9]:[0-5][0-9]'),
  hours_to         TEXT CHECK (hours_to GLOB '[0-2][0-9]:[0-5][0-9]' AND hours_to <> hours_from),
  -- A rule is bound to the one thing that its scope names.
  CHECK (CASE scope
    WHEN 'organisation' THEN organisation_id IS NOT NULL AND brand_id IS NULL AND gtin14 IS NULL
    WHEN 'brand'        THEN organisation_id IS NULL AND brand_id IS NOT NULL AND gtin14 IS NULL
    WHEN 'product'      THEN organisation_id IS NULL AND brand_id IS NULL AND gtin14 IS NOT NULL
    WHEN 'batch'        THEN organisation_id IS NULL AND brand_id IS NULL AND gtin14 IS NOT NULL
    WHEN 'serial'       THEN organisation_id IS NULL AND brand_id IS NULL AND gtin14 IS NOT NULL
    ELSE 0 END),
  CHECK ((qualifier IS NOT NULL) = (scope IN ('batch', 'serial'))),
  CHECK (CASE destination_type
    WHEN 'CUSTOM_URL'  THEN custom_url GLOB 'https://*' AND is_down IS NOT NULL AND when_down IS NOT NULL
    WHEN 'HOSTED_PAGE' THEN custom_url IS NULL AND is_down IS NULL AND when_down IS NULL
    ELSE 0 END),
  CHECK ((annual_from IS NULL) = (annual_to IS NULL)),
  CHECK ((hours_from IS NULL) = (hours_to IS NULL))
) STRICT;

CREATE INDEX resolver_rules_of_product ON resolver_rules (gtin14, qualifier);
CREATE INDEX resolver_rules_of_brand ON resolver_rules (brand_id);
CREATE INDEX resolver_rules_of_organisation ON resolver_rules (organisation_id);

-- What a user did, one row for each time.
CREATE TABLE user_actions (
  id     INTEGER PRIMARY KEY,
  at     TEXT NOT NULL,
  user   TEXT NOT NULL CHECK (length(user) BETWEEN 1 AND 255),
  action TEXT NOT NULL CHECK (length(action) BETWEEN 1 AND 64),
  gtin14 TEXT NOT NULL CHECK (length(gtin14) = 14 AND gtin14 NOT GLOB '*[^0-9]*'),
  url    TEXT NOT NULL CHECK (length(url) BETWEEN 1 AND 512)
) STRICT;

CREATE TRIGGER user_actions_are_kept BEFORE DELETE ON user_actions
BEGIN SELECT RAISE(ABORT, 'user actions are only added'); END;

CREATE TRIGGER user_actions_stay_as_written BEFORE UPDATE ON user_actions
BEGIN SELECT RAISE(ABORT, 'user actions are only added'); END;
`;
