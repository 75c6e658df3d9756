/** Assembles a gate from a command line or a configuration: servers, policy, ledger, pins, channels. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import type { Console } from '../console/open-console.ts';
import type { Principal } from '../effect/operation.ts';
import type { Announcer } from '../gate/approvals/announcer.ts';
import { openAnnouncer } from '../gate/approvals/announcer.ts';
import { toLedgerHint } from '../gate/approvals/waiting-text.ts';
import { openAuthorizer } from '../gate/auth/authorize.ts';
import { openTokenStore, tokenFile } from '../gate/auth/token-store.ts';
import { expandServer } from '../gate/config/environment.ts';
import type { HttpConfig } from '../gate/config/gate-config.ts';
import type { ServerAccess } from '../gate/open-server.ts';
import { openServer } from '../gate/open-server.ts';
import { Refusals } from '../gate/call/refusals.ts';
import { openServices, toContext } from '../gate/open-services.ts';
import { newGateId, openRegistration } from '../gate/registry.ts';
import { openPolicyReload } from '../gate/reload-policy.ts';
import { openPins } from '../gate/tools/pins.ts';
import type { Channel } from '../gate/protocol/channel.ts';
import { isSharedSession } from '../gate/protocol/frame.ts';
import type { RefusedMessage } from '../gate/protocol/read-frame.ts';
import { openAggregate } from '../gate/upstream/aggregate/open-aggregate.ts';
import type { Authenticate } from '../invoke/identity.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { openSweeper } from '../ledger/idempotency/sweeper.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { VERSION } from '../lib/version.ts';
import { openAttention } from './attention.ts';
import { CliError } from './cli-error.ts';
import type { GateFlags } from './gate.ts';
import { readGatePlan } from './gate-plan.ts';
import { toLedgerFailure } from './ledger-failure.ts';
import { toServerView } from './server-view.ts';

interface GateProcess extends AsyncDisposable {
  /** A channel to all servers, for one client. */
  readonly open: () => Channel;
  readonly principal: Principal;
  readonly authenticate: Authenticate | undefined;
  readonly http: HttpConfig | undefined;
  /** Of what is taken from clients, where it is not the default. */
  readonly limits: { readonly messageLimit?: number; readonly bodyLimit?: number };
  /** Told of messages that are refused before they reach a server. */
  readonly refused: (message: RefusedMessage) => void;
  /** Reports calls without a receipt, where the process ends before it could close. */
  readonly sumUp: () => void;
  /** Receives answers by webhook. */
  readonly routes: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Where clients reach it over HTTP, once that is known. */
  readonly isServedAt: (url: string) => void;
}

const SWEEP_EVERY_MS = 60_000;

export async function openGateProcess(
  command: readonly string[],
  flags: GateFlags,
): Promise<GateProcess> {
  const {
    config,
    policy,
    ledger: address,
    lock,
    foundLock,
    ...plan
  } = await readGatePlan(command, flags);
  const { messageLimit = config.messageLimit } = flags;
  const { checkpoints } = flags;
  const ledger = await openLedger(address, {
    report,
    arguments: policy.keepArguments,
    ...(checkpoints !== undefined && { checkpointFile: resolve(checkpoints) }),
  }).catch((error: unknown) => {
    throw toLedgerFailure(address, error);
  });
  let announcer: Announcer | undefined;
  let pages: Console | undefined;
  let servedAt: string | undefined;
  const toUrl = (id: string): string => `${pages?.url ?? ''}/approvals/${id}`;
  const hint: { readonly ledgerHint?: string } =
    address === defaultLedgerAddress() ? {} : { ledgerHint: toLedgerHint(address) };
  const attention = await openAttention({
    address,
    ledger,
    policy: () => services.policy,
    ownUrl: flags.console === undefined ? undefined : toUrl,
    isQuiet: !flags.notify,
    ledgerHint: hint.ledgerHint,
    report,
  });
  const gate = newGateId();
  const services = openServices({
    ledger,
    policy,
    report,
    gate,
    ...hint,
    approvalUrl: attention.urlOf,
    announce: (approval, channels) => {
      attention.tell(approval, channels);
      announcer?.announce(approval, channels);
    },
  });
  const refusals = new Refusals(services);
  const reloading = openPolicyReload({
    services,
    load: async () => (await readGatePlan(command, flags)).policy,
    files: plan.policyFiles,
    report,
  });
  announcer = openAnnouncer({
    approvals: services.approvals,
    ...(policy.webhook !== undefined && { webhook: policy.webhook }),
    environment: process.env,
    ...hint,
    consoleUrl: attention.urlOf,
    servedAt: () => servedAt,
    // Only a principal whose clients have no sessions is known again by the next process.
    endsSession: (session) => !isSharedSession(session),
    write: report,
    report,
  });
  if (foundLock !== undefined) {
    report(`${foundLock} can only hold tools back, since nobody named it; --lock accepts its pins`);
  }
  const pins = loadPins(lock, foundLock);
  const servers = config.servers
    .filter(({ disabled }) => !disabled)
    .map((server) => {
      const { name, trusted, mode, idempotency } = server;
      const traits = {
        server: name,
        ...(trusted !== undefined && { trusted }),
        ...(mode !== undefined && { mode }),
        pins,
        ...(idempotency !== undefined && {
          idempotency: { ...idempotency, meta: idempotency.meta !== undefined },
        }),
      };
      const expanded = flags.config === undefined ? server : expandServer(server, process.env);
      const context = toContext(services, traits, expanded);
      return { written: server, config: expanded, context };
    });
  const seen = servers.map(({ written, context }) => ({ config: written, context, lock }));
  const registration = openRegistration(gate, {
    store: ledger.store,
    servers: () => seen.map(toServerView),
    policy: () => services.policy,
    report,
  });
  if (flags.console !== undefined) {
    const { openGateConsole } = await import('./gate-console.ts');
    pages = await openGateConsole(flags.console, {
      services,
      pins,
      ledgerAddress: address,
      servers: seen,
    });
  }
  const access = toAccess();
  const open = (): Channel => {
    const channels = servers.map(({ config: each, context }) => ({
      name: each.name,
      channel: openServer(each, context, access),
    }));
    const [only] = channels;
    return channels.length === 1 && only !== undefined && flags.config === undefined
      ? only.channel
      : openAggregate(channels, {
          report,
          info: { name: 'plimsoll', version: access.version },
          ...(plan.toolOwners !== undefined && { plainNames: plan.toolOwners }),
          refused: (call, why) => refusals.unrouted(call, why),
        });
  };
  const keySweeper = openSweeper(ledger.store, { report, rules: ledger.keyRecords.rules });
  const sweeper = setInterval(() => {
    services.approvals
      .sweep()
      .catch((error: unknown) => report('expired questions could not be closed', error));
  }, SWEEP_EVERY_MS);
  sweeper.unref();
  return {
    open,
    principal: { id: flags.as ?? userInfo().username, scopes: [] },
    authenticate:
      config.http &&
      (await import('../gate/auth/identify-caller.ts')).identifyCaller(config.http, process.env),
    http: config.http,
    limits: messageLimit === undefined ? {} : { messageLimit, bodyLimit: messageLimit },
    refused: (message) => refusals.message(message),
    sumUp: () => void services.recorder.sumUp(),
    routes: (request, response) => announcer.take(request, response),
    isServedAt: (url) => {
      servedAt = url;
    },
    [Symbol.asyncDispose]: async () => {
      reloading[Symbol.dispose]();
      // Whoever started the gate must notice that its records have a gap.
      if ((await services.recorder.close()) > 0) process.exitCode = 1;
      clearInterval(sweeper);
      await keySweeper[Symbol.asyncDispose]();
      await announcer[Symbol.asyncDispose]();
      await pages?.[Symbol.asyncDispose]();
      await registration[Symbol.asyncDispose]();
      await ledger[Symbol.asyncDispose]();
    },
  };
}

function loadPins(lock: string, found: string | undefined): ReturnType<typeof openPins> {
  try {
    return openPins(lock, found);
  } catch (error) {
    if (error instanceof TypeError) throw new CliError(error.message);
    throw error;
  }
}

function toAccess(): ServerAccess {
  const store = openTokenStore(tokenFile(process.env));
  return { version: VERSION, authorizerOf: (url) => openAuthorizer(url, store) };
}

/** On standard error, which belongs to the person who runs the gate; clients never see it. */
export function report(message: string, cause?: unknown): void {
  const why =
    cause === undefined ? '' : `: ${cause instanceof Error ? cause.message : 'unknown cause'}`;
  process.stderr.write(`plimsoll gate: ${message}${why}\n`);
}
