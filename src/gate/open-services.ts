/** Opens what the gates of one process share: the ledger, approvals, budgets and the cache. */
import { announceReports } from '../lib/announce-reports.ts';
import { toCanonicalJson } from '../lib/canonical-json.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { openApprovals } from './approvals/approvals.ts';
import type { ProcessServer, RemoteServer, ServerConfig } from './config/gate-config.ts';
import type { Policy } from './policy/policy.ts';
import { serverTerms } from './policy/policy.ts';
import type { GateContext, GateServices } from './gate-services.ts';
import { openJudge } from './tools/tool-book.ts';
import type { JudgeOptions } from './tools/tool-book.ts';
import { Breaker, RetryBudget } from './call/breaker.ts';
import { openBudgets } from './call/budgets.ts';
import { ReadCache } from './call/read-cache.ts';
import { Recorder } from '../ledger/receipts/recorder.ts';
import { ServerSight } from './tools/server-sight.ts';

interface ServicesInit {
  readonly ledger: OpenLedger;
  readonly policy: Policy;
  readonly approvalUrl?: GateServices['approvalUrl'];
  /** The id under which this gate registers in the ledger. */
  readonly gate?: string;
  readonly ledgerHint?: string;
  /** Puts a new question before people, by the channels that the verdict allows. */
  readonly announce?: GateServices['announce'];
  readonly report: (message: string, cause?: unknown) => void;
  /** Default: this machine's. */
  readonly now?: () => number;
  readonly random?: () => number;
}

/** How many calls of one caller may wait for a person at once. */
const MOST_OPEN = 20;

export function openServices(init: ServicesInit): GateServices {
  const { ledger, approvalUrl, gate, ledgerHint, now = Date.now, random = Math.random } = init;
  const report = announceReports(init.report);
  let { policy } = init;
  return Object.freeze({
    ledger,
    get policy() {
      return policy;
    },
    usePolicy: (next: Policy) => {
      policy = next;
    },
    approvals: openApprovals(ledger.store, {
      report,
      mostOpen: MOST_OPEN,
      ...(gate !== undefined && { gate }),
    }),
    budgets: openBudgets(ledger.store),
    cache: new ReadCache(now),
    sealKey: ledger.keys.sealKey,
    ...(approvalUrl !== undefined && { approvalUrl: toApprovalUrl(approvalUrl, report) }),
    ...(ledgerHint !== undefined && { ledgerHint }),
    announce: toAnnounce(init.announce, report),
    recorder: new Recorder(report),
    now,
    random,
    report,
  });
}

/** A question that nobody could be told of is open all the same: whoever looks can answer it. */
function toAnnounce(
  announce: ServicesInit['announce'],
  report: GateServices['report'],
): GateServices['announce'] {
  return (approval, channels) => {
    try {
      announce?.(approval, channels);
    } catch (error) {
      report('a question could not be announced', error);
    }
  };
}

/** Without its page, a question can be answered elsewhere. */
function toApprovalUrl(
  approvalUrl: NonNullable<ServicesInit['approvalUrl']>,
  report: GateServices['report'],
): NonNullable<GateServices['approvalUrl']> {
  return (id) => {
    try {
      return approvalUrl(id);
    } catch (error) {
      report('the page of a question is not known', error);
      return undefined;
    }
  };
}

/**
 * What the policy says of a server holds unless its own entry says otherwise. `config`: where it is, with the
 * values from the environment, where that is known.
 */
export function toContext(
  services: GateServices,
  server: Omit<JudgeOptions, 'trusted'> & Partial<Pick<GateContext['server'], 'trusted' | 'mode'>>,
  config?: ServerConfig,
): GateContext {
  const said = serverTerms(services.policy, server.server);
  const trusted = server.trusted ?? said.trusted;
  return {
    services,
    server: {
      name: server.server,
      address: config === undefined ? '' : digestAddress(config, services),
      trusted,
      mode: server.mode ?? said.mode,
      retries: said.retries,
      judge: openJudge({ ...server, trusted, convention: said.convention }),
      breaker: new Breaker({ now: services.now }),
      retryBudget: new RetryBudget(),
      sight: new ServerSight(),
    },
  };
}

/**
 * A name says nothing about what is behind it: two servers may bear the same one, with the same tools and other
 * data. Keyed, since there are credentials in it.
 */
function digestAddress(config: ServerConfig, { ledger }: GateServices): string {
  const text = config.kind === 'remote' ? toRemoteAddress(config) : toProcessAddress(config);
  return ledger.keys.digest(text);
}

function toRemoteAddress({ url, headers }: RemoteServer): string {
  return toCanonicalJson({ url, headers });
}

function toProcessAddress({ command, args, cwd, env, passEnv = {} }: ProcessServer): string {
  const passed = Object.entries(passEnv).map(
    ([name, here]) => [name, process.env[here] ?? ''] as const,
  );
  return toCanonicalJson({ command, args, cwd, env, passed: Object.fromEntries(passed) });
}
