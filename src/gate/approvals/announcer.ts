/**
 * Puts open questions before people: a line on standard error, the console's address, the webhook; each
 * channel once for each question, and only those that the verdict allows. When a question ends, those
 * who were asked are told how. (The host's own form belongs to the call, not to this.)
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Webhook } from '../policy/policy.ts';
import type { AskChannel } from '../policy/verdict.ts';
import type { Approval, WithdrawalReason } from './approval.ts';
import { describeState, toShortId } from './approval.ts';
import type { Approvals } from './approvals.ts';
import { toApproveCommand, toConsoleCommand } from './waiting-text.ts';
import { showText } from './show-text.ts';
import type { WebhookDoorOptions } from './webhook-door.ts';
import { WebhookDoor } from './webhook-door.ts';

interface AnnouncerOptions extends WebhookDoorOptions {
  readonly approvals: Approvals;
  readonly webhook?: Webhook;
  /** The page of a question in the console that this process runs; `undefined` when it runs none. */
  readonly consoleUrl: (id: string) => string | undefined;
  /** How another process names the ledger, where it is not the default one. */
  readonly ledgerHint?: string;
  /** One line for the person who runs the gate. */
  readonly write: (line: string) => void;
  /** Whether a session ends with this process, so that no caller can come back for its questions. */
  readonly endsSession: (session: string) => boolean;
}

export interface Announcer extends AsyncDisposable {
  announce(approval: Approval, channels: readonly AskChannel[]): void;
  /** Takes a question back and tells those who were asked. Failures are reported. */
  withdraw(approval: Pick<Approval, 'id'>, reason: WithdrawalReason): Promise<void>;
  /** Answers that are posted to the gate; tells whether the request was one. */
  take(request: IncomingMessage, response: ServerResponse): boolean;
}

interface Announced {
  readonly session: string;
  readonly told: Set<AskChannel>;
  readonly stop: () => void;
}

export function openAnnouncer(options: AnnouncerOptions): Announcer {
  const { approvals, webhook, consoleUrl, write, report } = options;
  const door = webhook && new WebhookDoor(webhook, options);
  const open = new Map<string, Announced>();

  const ended = (approval: Approval): void => {
    const told = open.get(approval.id)?.told;
    open.delete(approval.id);
    if (told?.has('terminal') === true || told?.has('console') === true) {
      write(`${toName(approval)}: ${describeState(approval)}`);
    }
    if (told?.has('webhook') === true && approval.channel !== 'webhook') door?.tellEnd(approval);
  };
  const withdraw = async (id: string, reason: WithdrawalReason): Promise<void> => {
    try {
      await approvals.withdraw(id, reason);
    } catch (error) {
      report(`question ${toShortId(id)} could not be withdrawn`, error);
    }
  };

  return {
    announce(approval, channels) {
      const { id, state, binding } = approval;
      if (state !== 'PENDING') return;
      const announced = open.get(id) ?? {
        session: binding.session,
        told: new Set(),
        stop: approvals.watch(id, ended),
      };
      open.set(id, announced);
      const fresh = channels.filter((channel) => !announced.told.has(channel));
      for (const channel of fresh) announced.told.add(channel);
      const ways = toWays(approval, fresh, consoleUrl(id), options.ledgerHint);
      if (ways !== '') write(`${toName(approval)} is waiting for a person: ${ways}`);
      if (fresh.includes('webhook')) door?.ask(approval);
    },
    withdraw: ({ id }, reason) => withdraw(id, reason),
    take: (request, response) => door?.take(request, response) ?? false,
    async [Symbol.asyncDispose]() {
      const ending = [...open].filter(([, { session }]) => options.endsSession(session));
      await Promise.all(ending.map(([id]) => withdraw(id, 'gate-stopped')));
      for (const { stop } of open.values()) stop();
      open.clear();
      await door?.[Symbol.asyncDispose]();
    },
  };
}

function toWays(
  { id }: Approval,
  channels: readonly AskChannel[],
  url: string | undefined,
  ledgerHint: string | undefined,
): string {
  const byConsole = url === undefined ? `run \`${toConsoleCommand(ledgerHint)}\`` : `open ${url}`;
  const ways = [
    // With a terminal at hand, a console that does not run is no help.
    ...(channels.includes('console') && (url !== undefined || !channels.includes('terminal'))
      ? [byConsole]
      : []),
    ...(channels.includes('terminal')
      ? [`run \`${toApproveCommand(toShortId(id), ledgerHint)}\``]
      : []),
  ];
  return ways.join(' or ');
}

function toName({ id, binding }: Approval): string {
  return `${showText(`${binding.server}/${binding.tool}`)} (${toShortId(id)})`;
}
