/** What the door tells the pages about a request it let in. */
export interface Env {
  readonly Variables: {
    /** Who is signed in. */
    readonly who: string;
    /** To be sent back with every form, in the field `csrf`. */
    readonly csrf: string;
  };
}
