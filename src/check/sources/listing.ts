/** A listing: the tools of one server as its source gave them, with where they are written down. */
import type { SourceFailure, SourceFile } from '../check-report.ts';

export interface Listing {
  readonly name: string;
  /** As they came out of JSON. */
  readonly tools: readonly unknown[];
  /** What can be done about a fix: edit the saved list, edit declarations, or only tell. */
  readonly origin: 'saved' | 'project' | 'server';
  readonly file?: SourceFile;
}

export interface Listings {
  readonly listings: readonly Listing[];
  readonly failures: readonly SourceFailure[];
}
