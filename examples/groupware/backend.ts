/**
 * What the tools need from a groupware server, for one account. `embedded/` and `nextcloud/` implement
 * it. Both refuse with problems: `not-found`, `conflict`, `stale-version` with the current tag.
 * Field names are those that callers see.
 */
import type { Deck } from './deck.ts';

export interface Backend extends AsyncDisposable {
  readonly kind: 'embedded' | 'nextcloud';
  account(user: string): Account;
  /** Sets an account up before its first use. */
  prepare(user: string): Promise<void>;
}

export interface Account {
  readonly user: string;
  readonly notes: Notes;
  readonly files: Files;
  readonly calendars: Collections;
  readonly addressBooks: Collections;
  readonly deck: Deck;
  readonly tables: Tables;
  readonly shares: Shares;
  readonly recipes: Recipes;
  readonly news: News;
}

interface Versioned {
  readonly id: number;
  /** Changes with every change of the object. */
  readonly etag: string;
}

export interface Note extends Versioned {
  readonly title: string;
  readonly content: string;
  readonly category: string;
  readonly modified: string;
}

export type NoteFields = Pick<Note, 'title' | 'content' | 'category'>;

export interface Notes {
  list(): Promise<readonly Note[]>;
  /** Notes with every word in their title or content, as a word or the beginning of one. */
  search(query: string): Promise<readonly Note[]>;
  find(id: number): Promise<Note | undefined>;
  create(fields: NoteFields): Promise<Note>;
  update(id: number, etag: string, changes: Partial<NoteFields>): Promise<Note>;
  /** Whether there was one. */
  remove(id: number): Promise<boolean>;
}

export interface FileEntry {
  /** From the root of the account, without a leading slash. */
  readonly path: string;
  readonly name: string;
  readonly is_directory: boolean;
  readonly size: number;
  readonly content_type: string;
  readonly last_modified: string;
  readonly etag: string;
  readonly is_favorite: boolean;
}

export interface FileQuery {
  readonly scope: string;
  /** With `%` for any characters. */
  readonly name?: string | undefined;
  /** A type, or the beginning of one: `image/`. */
  readonly mimeType?: string | undefined;
  readonly onlyFavorites?: boolean | undefined;
  readonly limit?: number | undefined;
}

export interface Transfer {
  readonly source: string;
  readonly destination: string;
  readonly overwrite: boolean;
}

export interface Files {
  list(path: string): Promise<readonly FileEntry[]>;
  read(path: string): Promise<{ readonly entry: FileEntry; readonly content: Buffer }>;
  /** Replaces what is there. */
  write(path: string, content: Buffer, contentType?: string): Promise<FileEntry>;
  /** Whether it is new. */
  makeDirectory(path: string): Promise<boolean>;
  /** Whether there was something. */
  remove(path: string): Promise<boolean>;
  move(transfer: Transfer): Promise<void>;
  copy(transfer: Transfer): Promise<void>;
  find(query: FileQuery): Promise<readonly FileEntry[]>;
}

export interface CollectionProps {
  readonly display_name: string;
  readonly description: string;
  readonly color: string;
}

export interface Collection extends CollectionProps {
  readonly id: string;
}

/** One event, todo or contact as it is stored: an iCalendar or vCard text. */
export interface StoredText {
  readonly uid: string;
  readonly etag: string;
  readonly text: string;
}

/** `new`: refused where one of that uid exists. A tag: refused unless it is the current one. */
export type WriteCondition = 'new' | { readonly etag: string };

/** Calendars or address books, which hold texts by uid. */
export interface Collections {
  list(): Promise<readonly Collection[]>;
  /** Refuses an id that is taken. */
  create(id: string, props: CollectionProps): Promise<void>;
  update(id: string, changes: Partial<CollectionProps>): Promise<void>;
  remove(id: string): Promise<boolean>;
  texts(id: string): Promise<readonly StoredText[]>;
  find(id: string, uid: string): Promise<StoredText | undefined>;
  put(id: string, uid: string, text: string, condition: WriteCondition): Promise<string>;
  /** Whether there was one. With a tag it is refused unless that is the current one. */
  removeText(id: string, uid: string, etag?: string): Promise<boolean>;
}

export const COLUMN_TYPES = ['text', 'number', 'datetime', 'selection'] as const;

export interface Column {
  readonly id: number;
  readonly title: string;
  readonly type: (typeof COLUMN_TYPES)[number];
  readonly mandatory: boolean;
  /** What a selection may be. */
  readonly options: readonly string[];
}

interface TableInfo {
  readonly id: number;
  readonly title: string;
  readonly row_count: number;
}

export type CellValue = string | number | null;

export interface TableRow extends Versioned {
  readonly table_id: number;
  /** By column id. */
  readonly data: Readonly<Record<string, CellValue>>;
}

export interface Tables {
  list(): Promise<readonly TableInfo[]>;
  columns(tableId: number): Promise<readonly Column[]>;
  rows(tableId: number, page: Page): Promise<readonly TableRow[]>;
  insert(tableId: number, data: TableRow['data']): Promise<TableRow>;
  /** Columns that are not named keep their values. */
  update(rowId: number, data: TableRow['data']): Promise<TableRow>;
  remove(rowId: number): Promise<boolean>;
}

interface Page {
  readonly limit: number;
  readonly offset: number;
}

export interface Share extends Versioned {
  readonly path: string;
  readonly share_type: number;
  readonly share_with: string | null;
  readonly permissions: number;
  readonly owner: string;
  readonly created: string;
}

interface ShareFields {
  readonly path: string;
  readonly share_type: number;
  readonly share_with: string | null;
  readonly permissions: number;
}

export interface Shares {
  /** `url` is there for a public link, and only here. */
  create(fields: ShareFields): Promise<{ readonly share: Share; readonly url?: string }>;
  find(id: number): Promise<Share | undefined>;
  list(filter: { readonly path?: string; readonly withMe: boolean }): Promise<readonly Share[]>;
  update(id: number, permissions: number): Promise<Share>;
  remove(id: number): Promise<boolean>;
}

export interface Recipe extends Versioned {
  readonly name: string;
  readonly description: string;
  readonly ingredients: readonly string[];
  readonly instructions: readonly string[];
  readonly url: string;
  readonly prep_time: string | null;
  readonly cook_time: string | null;
  readonly total_time: string | null;
  readonly recipe_yield: number;
  readonly category: string;
  readonly keywords: readonly string[];
}

export type RecipeFields = Omit<Recipe, 'id' | 'etag'>;

export interface CookbookConfig {
  readonly folder: string;
  readonly update_interval: number;
  readonly print_image: boolean;
}

export interface Recipes {
  list(): Promise<readonly Recipe[]>;
  search(query: string): Promise<readonly Recipe[]>;
  find(id: number): Promise<Recipe | undefined>;
  /** Refuses a name that is taken. */
  create(fields: RecipeFields): Promise<Recipe>;
  importFrom(url: string): Promise<Recipe>;
  update(id: number, changes: Partial<RecipeFields>): Promise<Recipe>;
  remove(id: number): Promise<boolean>;
  setConfig(changes: Partial<CookbookConfig>): Promise<CookbookConfig>;
  /** How many recipes the index has now. */
  reindex(): Promise<number>;
}

export interface NewsFolder {
  readonly id: number;
  readonly name: string;
}

export interface Feed {
  readonly id: number;
  readonly folder_id: number | null;
  readonly title: string;
  readonly url: string;
  readonly unread_count: number;
  readonly update_error_count: number;
  readonly last_update_error: string | null;
}

export interface NewsItem {
  readonly id: number;
  readonly feed_id: number;
  readonly title: string;
  readonly url: string;
  readonly author: string;
  readonly body: string;
  readonly published: string;
  readonly unread: boolean;
  readonly starred: boolean;
}

export interface ItemQuery extends Page {
  readonly feedId?: number | undefined;
  readonly folderId?: number | undefined;
  readonly starredOnly: boolean;
  readonly unreadOnly: boolean;
}

export interface News {
  folders(): Promise<readonly NewsFolder[]>;
  feeds(): Promise<readonly Feed[]>;
  /** Newest first. */
  items(query: ItemQuery): Promise<readonly NewsItem[]>;
  find(id: number): Promise<NewsItem | undefined>;
  status(): Promise<{ readonly version: string; readonly warnings: readonly string[] }>;
}
