/** One kind of thing in a chart, as people tell it apart: a word, a sign and a colour. */

export interface Series {
  readonly key: string;
  readonly word: string;
  /** Stands beside the word, so that nothing hangs on the colour alone. */
  readonly shape: string;
  /** The name of a CSS variable. */
  readonly colour: string;
}
