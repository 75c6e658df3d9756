/** A part of a text, from one index to before another. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
