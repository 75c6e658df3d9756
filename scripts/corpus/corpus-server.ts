/** A public server of the corpus, and one run of the check over it. Data only. */
import type { Severity } from '../../src/check/rule.ts';

export interface CorpusServer {
  readonly package: string;
  readonly version: string;
  /** Behind the program. */
  readonly args?: readonly string[];
  /** Fake values, so that it starts; nothing is called. */
  readonly env?: Readonly<Record<string, string>>;
}

export type CorpusRun = { readonly server: CorpusServer; readonly ms: number } & CorpusEnd;

export type CorpusEnd =
  | {
      readonly kind: 'checked';
      readonly tools: number;
      readonly findings: Readonly<Record<Severity, number>>;
      readonly score: number;
    }
  /** The package could not be had, or the server ended before it told its tools; the check said so. */
  | { readonly kind: 'not-installed' | 'not-started'; readonly detail: string }
  /** The check itself failed. */
  | { readonly kind: 'crashed' | 'hung'; readonly detail: string };
