/**
 * Search by meaning and by words over the documents of an account. Vectors are kept in memory, and made
 * again for what has changed when someone searches.
 */
import type { Account } from '../backend.ts';
import { toWords } from '../words.ts';
import type { Document, DocumentType } from './documents.ts';
import { collectDocuments } from './documents.ts';
import type { Embedder } from './embedder.ts';
import type { Fusion } from './fuse.ts';
import { fuse } from './fuse.ts';

export interface SemanticQuery {
  readonly query: string;
  readonly limit: number;
  readonly types?: readonly DocumentType[] | undefined;
  /** Least raw score: the nearness of the meaning, or the share of the words that occur. */
  readonly threshold: number;
  readonly fusion: Fusion;
  /** How many characters around the passage. */
  readonly contextChars?: number | undefined;
}

export interface SemanticHit {
  readonly doc_type: DocumentType;
  readonly id: string;
  readonly title: string;
  readonly excerpt: string;
  /** Higher is better; only good for comparing hits of one search. */
  readonly score: number;
  readonly raw_score: number;
  readonly context?: string;
}

interface Passage {
  readonly text: string;
  readonly from: number;
  readonly vector: readonly number[];
}

interface Indexed {
  readonly document: Document;
  readonly passages: readonly Passage[];
}

const PASSAGE_CHARS = 600;

export class SemanticIndex {
  readonly #embedder: Embedder;
  /** By user, then by document. */
  readonly #indexed = new Map<string, Map<string, Indexed>>();

  constructor(embedder: Embedder) {
    this.#embedder = embedder;
  }

  async search(account: Account, wanted: SemanticQuery): Promise<readonly SemanticHit[]> {
    const all = await this.#sync(account);
    const [vector] = await this.#embedder.embed([wanted.query]);
    if (vector === undefined) return [];
    const words = toWords(wanted.query);
    const candidates = all
      .filter(({ document }) => wanted.types?.includes(document.type) ?? true)
      .map((each) => weigh(each, vector, words))
      .filter(({ raw }) => raw >= wanted.threshold && raw > 0);
    const scores = fuse(wanted.fusion, [
      candidates.map(({ meaning }) => meaning),
      candidates.map(({ lexical }) => lexical),
    ]);
    return candidates
      .map((candidate, index) => toHit(candidate, scores[index] ?? 0, wanted.contextChars))
      .toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, wanted.limit);
  }

  /** Indexes nothing. */
  async status(account: Account): Promise<{ readonly indexed: number; readonly pending: number }> {
    const known = this.#indexed.get(account.user);
    const documents = await collectDocuments(account);
    const pending = documents.filter((each) => !isCurrent(known, each)).length;
    return { indexed: documents.length - pending, pending };
  }

  async #sync(account: Account): Promise<readonly Indexed[]> {
    const known = this.#indexed.get(account.user) ?? new Map<string, Indexed>();
    this.#indexed.set(account.user, known);
    const documents = await collectDocuments(account);
    const keys = new Set(documents.map(toKey));
    for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
    const changed = documents.filter((each) => !isCurrent(known, each));
    const cut = changed.map((document) => ({ document, pieces: toPieces(document) }));
    const vectors = await this.#embedder.embed(
      cut.flatMap(({ pieces }) => pieces.map(({ text }) => text)),
    );
    let next = 0;
    for (const { document, pieces } of cut) {
      const passages = pieces.map((piece) => ({ ...piece, vector: vectors[next++] ?? [] }));
      known.set(toKey(document), { document, passages });
    }
    return [...known.values()];
  }
}

interface Candidate extends Indexed {
  readonly best: Passage | undefined;
  readonly meaning: number;
  readonly lexical: number;
  readonly raw: number;
}

function weigh(indexed: Indexed, vector: readonly number[], words: readonly string[]): Candidate {
  let best: Passage | undefined;
  let meaning = 0;
  for (const passage of indexed.passages) {
    const nearness = passage.vector.reduce((sum, value, at) => sum + value * (vector[at] ?? 0), 0);
    if (best !== undefined && nearness <= meaning) continue;
    best = passage;
    meaning = nearness;
  }
  const { title, text } = indexed.document;
  const present = new Set(toWords(`${title} ${text}`));
  const hits = words.filter((word) => present.has(word)).length;
  const lexical = words.length === 0 ? 0 : hits / words.length;
  return { ...indexed, best, meaning, lexical, raw: Math.max(meaning, lexical) };
}

function toHit(candidate: Candidate, score: number, contextChars?: number): SemanticHit {
  const { document, best, raw } = candidate;
  const from = best?.from ?? 0;
  const around = contextChars ?? 0;
  return {
    doc_type: document.type,
    id: document.id,
    title: document.title,
    excerpt: (best?.text ?? '').slice(0, 300),
    score,
    raw_score: raw,
    ...(contextChars !== undefined && {
      context: document.text.slice(Math.max(0, from - around), from + PASSAGE_CHARS + around),
    }),
  };
}

/** Parts of a text that are short enough to have one meaning, each with the title before it. */
function toPieces({ title, text }: Document): readonly Omit<Passage, 'vector'>[] {
  const starts = Array.from(
    { length: Math.max(1, Math.ceil(text.length / PASSAGE_CHARS)) },
    (_, index) => index * PASSAGE_CHARS,
  );
  return starts.map((from) => ({
    from,
    text: `${title}. ${text.slice(from, from + PASSAGE_CHARS)}`,
  }));
}

function toKey({ type, id }: Document): string {
  return `${type} ${id}`;
}

function isCurrent(known: ReadonlyMap<string, Indexed> | undefined, document: Document): boolean {
  return known?.get(toKey(document))?.document.version === document.version;
}
