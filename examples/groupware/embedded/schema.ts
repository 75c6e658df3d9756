/** The tables of the embedded store. Files are in the file system; only what it cannot hold is here. */

export const SCHEMA_VERSION = 1;

/** A rowid that was used is not used again, so an old id never means a new object. */
const OWNED =
  'id INTEGER PRIMARY KEY AUTOINCREMENT, user TEXT NOT NULL, version INTEGER NOT NULL DEFAULT 1';

export const SCHEMA = `
CREATE TABLE accounts (user TEXT PRIMARY KEY, cookbook_config TEXT NOT NULL) STRICT;

CREATE TABLE notes (
  ${OWNED},
  title TEXT NOT NULL, content TEXT NOT NULL, category TEXT NOT NULL, modified TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE notes_text USING fts5 (
  title, content, content = 'notes', content_rowid = 'id', tokenize = 'unicode61 remove_diacritics 2'
);
CREATE TRIGGER notes_added AFTER INSERT ON notes BEGIN
  INSERT INTO notes_text (rowid, title, content) VALUES (NEW.id, NEW.title, NEW.content);
END;
CREATE TRIGGER notes_removed AFTER DELETE ON notes BEGIN
  INSERT INTO notes_text (notes_text, rowid, title, content) VALUES ('delete', OLD.id, OLD.title, OLD.content);
END;
CREATE TRIGGER notes_changed AFTER UPDATE ON notes BEGIN
  INSERT INTO notes_text (notes_text, rowid, title, content) VALUES ('delete', OLD.id, OLD.title, OLD.content);
  INSERT INTO notes_text (rowid, title, content) VALUES (NEW.id, NEW.title, NEW.content);
END;

CREATE TABLE file_facts (
  user TEXT NOT NULL, path TEXT NOT NULL, content_type TEXT, favorite INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (user, path)
) STRICT;

CREATE TABLE collections (
  user TEXT NOT NULL, kind TEXT NOT NULL, id TEXT NOT NULL,
  display_name TEXT NOT NULL, description TEXT NOT NULL, color TEXT NOT NULL,
  PRIMARY KEY (user, kind, id)
) STRICT;
CREATE TABLE collection_texts (
  user TEXT NOT NULL, kind TEXT NOT NULL, collection TEXT NOT NULL, uid TEXT NOT NULL,
  text TEXT NOT NULL, etag TEXT NOT NULL,
  PRIMARY KEY (user, kind, collection, uid),
  FOREIGN KEY (user, kind, collection) REFERENCES collections (user, kind, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE boards (
  ${OWNED}, title TEXT NOT NULL, color TEXT NOT NULL, owner TEXT NOT NULL, archived INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE labels (
  ${OWNED}, board_id INTEGER NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
  title TEXT NOT NULL, color TEXT NOT NULL
) STRICT;
CREATE TABLE stacks (
  ${OWNED}, board_id INTEGER NOT NULL REFERENCES boards (id) ON DELETE CASCADE,
  title TEXT NOT NULL, "order" INTEGER NOT NULL
) STRICT;
CREATE TABLE cards (
  ${OWNED}, stack_id INTEGER NOT NULL REFERENCES stacks (id) ON DELETE CASCADE,
  title TEXT NOT NULL, description TEXT NOT NULL, type TEXT NOT NULL, "order" INTEGER NOT NULL,
  owner TEXT NOT NULL, duedate TEXT, archived INTEGER NOT NULL DEFAULT 0, done TEXT,
  labels TEXT NOT NULL DEFAULT '[]', assigned_users TEXT NOT NULL DEFAULT '[]'
) STRICT;

CREATE TABLE tables (${OWNED}, title TEXT NOT NULL, columns TEXT NOT NULL) STRICT;
CREATE TABLE table_rows (
  ${OWNED}, table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE, data TEXT NOT NULL
) STRICT;

CREATE TABLE shares (
  ${OWNED}, path TEXT NOT NULL, share_type INTEGER NOT NULL, share_with TEXT, permissions INTEGER NOT NULL,
  owner TEXT NOT NULL, created TEXT NOT NULL, token_hash TEXT UNIQUE
) STRICT;

CREATE TABLE recipes (
  ${OWNED}, name TEXT NOT NULL, description TEXT NOT NULL, ingredients TEXT NOT NULL, instructions TEXT NOT NULL,
  url TEXT NOT NULL, prep_time TEXT, cook_time TEXT, total_time TEXT, recipe_yield INTEGER NOT NULL,
  category TEXT NOT NULL, keywords TEXT NOT NULL, UNIQUE (user, name)
) STRICT;
CREATE VIRTUAL TABLE recipes_text USING fts5 (words, tokenize = 'unicode61 remove_diacritics 2');

CREATE TABLE news_folders (${OWNED}, name TEXT NOT NULL) STRICT;
CREATE TABLE feeds (
  ${OWNED}, folder_id INTEGER REFERENCES news_folders (id), title TEXT NOT NULL, url TEXT NOT NULL,
  update_error_count INTEGER NOT NULL, last_update_error TEXT
) STRICT;
CREATE TABLE news_items (
  ${OWNED}, feed_id INTEGER NOT NULL REFERENCES feeds (id), title TEXT NOT NULL, url TEXT NOT NULL,
  author TEXT NOT NULL, body TEXT NOT NULL, published TEXT NOT NULL,
  unread INTEGER NOT NULL, starred INTEGER NOT NULL
) STRICT;
`;
