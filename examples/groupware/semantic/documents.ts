/** What can be found by meaning: notes, text files, cards and news of one account, as the caller sees them now. */
import { Buffer } from 'node:buffer';
import type { Account } from '../backend.ts';

export const DOCUMENT_TYPES = ['note', 'file', 'deck_card', 'news_item'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

export interface Document {
  readonly type: DocumentType;
  /** An id, or the path of a file. */
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** Changes with the document. */
  readonly version: string;
}

/** Larger files are not indexed. */
const MOST_BYTES = 100_000;

export async function collectDocuments(account: Account): Promise<readonly Document[]> {
  const [notes, files, cards, news] = await Promise.all([
    account.notes.list(),
    collectFiles(account),
    collectCards(account),
    account.news.items({ limit: 500, offset: 0, starredOnly: false, unreadOnly: false }),
  ]);
  return [
    ...notes.map(({ id, title, content, etag }) =>
      toDocument('note', String(id), title, content, etag),
    ),
    ...files,
    ...cards,
    ...news.map(({ id, title, body }) => toDocument('news_item', String(id), title, body, title)),
  ];
}

async function collectFiles({ files }: Account): Promise<readonly Document[]> {
  const found = await files.find({ scope: '', mimeType: 'text/', limit: 500 });
  const small = found.filter(({ size }) => size <= MOST_BYTES);
  return Promise.all(
    small.map(async ({ path, name, etag }) => {
      const { content } = await files.read(path);
      return toDocument('file', path, name, Buffer.from(content).toString('utf8'), etag);
    }),
  );
}

async function collectCards({ deck }: Account): Promise<readonly Document[]> {
  const boards = await deck.boards();
  const stacks = (await Promise.all(boards.map(({ id }) => deck.stacks(id)))).flat();
  const cards = await Promise.all(stacks.map(({ board_id, id }) => deck.cards(board_id, id)));
  return cards
    .flat()
    .map(({ id, title, description, etag }) =>
      toDocument('deck_card', String(id), title, description, etag),
    );
}

function toDocument(
  type: DocumentType,
  id: string,
  title: string,
  text: string,
  version: string,
): Document {
  return Object.freeze({ type, id, title, text, version });
}
