/** How a person notices a question: the console is there when it is needed, and the desktop says so. */
import type { Approval } from '../gate/approvals/approval.ts';
import { toShortId } from '../gate/approvals/approval.ts';
import { showText } from '../gate/approvals/show-text.ts';
import { toApproveCommand } from '../gate/approvals/waiting-text.ts';
import type { Policy } from '../gate/policy/policy.ts';
import type { AskChannel } from '../gate/policy/verdict.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { ConsoleOnDemand } from './console-on-demand.ts';
import { isUnattended, openConsoleOnDemand } from './console-on-demand.ts';
import { openNotifier } from './desktop.ts';

interface AttentionInit {
  readonly address: string;
  readonly ledger: OpenLedger;
  readonly policy: () => Policy;
  /** The gate has a console of its own; no other is started. */
  readonly ownUrl: ((id: string) => string) | undefined;
  /** By a flag of the gate. */
  readonly isQuiet: boolean;
  readonly ledgerHint: string | undefined;
  readonly report: (message: string, cause?: unknown) => void;
}

export interface Attention {
  /** The page of a question, if there is or will be a console. */
  readonly urlOf: (id: string) => string | undefined;
  readonly tell: (approval: Approval, channels: readonly AskChannel[]) => void;
}

/** Nobody but this process could read it. */
const IN_MEMORY = 'sqlite::memory:';

export async function openAttention(init: AttentionInit): Promise<Attention> {
  const { policy, ownUrl, isQuiet, ledgerHint, report } = init;
  const pages = await openPages(init);
  const notify = openNotifier();
  const told = new Set<string>();
  const urlOf = (id: string): string | undefined =>
    ownUrl?.(id) ?? (policy().console === 'on-demand' ? pages?.urlOf(id) : undefined);
  return {
    urlOf,
    tell(approval, channels) {
      const { id, state, binding } = approval;
      const isSeen = channels.includes('console') || channels.includes('terminal');
      if (state !== 'PENDING' || !isSeen || told.has(id)) return;
      told.add(id);
      const atConsole = channels.includes('console');
      if (atConsole && ownUrl === undefined && policy().console === 'on-demand') {
        pages?.ensure().catch((error: unknown) => report('no console could be started', error));
      }
      if (isQuiet || isUnattended() || !policy().notify) return;
      const url = atConsole ? urlOf(id) : undefined;
      const where = url ?? `Run: ${toApproveCommand(toShortId(id), ledgerHint)}`;
      notify(
        'Plimsoll: a call waits for you',
        `${showText(`${binding.tool} on ${binding.server}`)}\n${where}`,
      );
    },
  };
}

async function openPages(init: AttentionInit): Promise<ConsoleOnDemand | undefined> {
  if (init.ownUrl !== undefined || isUnattended() || init.address === IN_MEMORY) return undefined;
  try {
    return await openConsoleOnDemand(init);
  } catch (error) {
    init.report('no console can be started on demand', error);
    return undefined;
  }
}
