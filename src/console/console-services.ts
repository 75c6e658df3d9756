/**
 * What the pages and the API of the console are made from: the ledger, the approval queue, and the
 * servers.
 */
import type { Approvals } from '../gate/approvals/approvals.ts';
import type { Budgets } from '../gate/call/budgets.ts';
import type { Policy } from '../gate/policy/policy.ts';
import type { RegisteredServer } from '../gate/registry.ts';
import type { Pins } from '../gate/tools/pins.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

export interface ConsoleServices {
  readonly ledger: OpenLedger;
  /** How commands name it, quoted for a shell, where it is not the one that they take anyway. */
  readonly ledgerHint?: string;
  readonly approvals: Approvals;
  readonly budgets: Budgets;
  readonly policy: Policy;
  readonly pins?: Pins;
  /** Where the pins of all servers are stored, to accept a change. Default: the lock of each server's gate. */
  readonly lock?: string;
  /** The servers behind every gate of the ledger, as they were seen last. */
  readonly servers: () => readonly ServerView[];
  /** All of one name, where gates with locks of their own have such. Default: the one of `servers`. */
  readonly alike?: (name: string) => readonly ServerView[];
  /** Called before a page is made, so that `servers` and `policy` are those of now. */
  readonly refresh?: () => Promise<void>;
  readonly now: () => number;
  readonly report: (message: string, cause?: unknown) => void;
}

/** One server, as far as a gate has seen it; with its lock only if this console may write there. */
export interface ServerView extends RegisteredServer {
  /** The lock of its gate, where this console may not write there. */
  readonly lockElsewhere?: string;
}

/** What the door tells the pages about an admitted request. */
export interface Env {
  readonly Variables: {
    /** Who is signed in. */
    readonly who: string;
    /** To be sent back with every form, in the field `csrf`. */
    readonly csrf: string;
    /** The id of the session; empty for a script with a token. */
    readonly session: string;
  };
}
