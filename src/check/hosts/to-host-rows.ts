/** What every host does with every tool of a server, as data, with what a reader must not miss. */
import type { ServerSubject, ToolSubject } from '../subject.ts';
import type { HostDecision } from './decide-host.ts';
import { decideHost } from './decide-host.ts';
import type { Host } from './host.ts';
import { heedsHints, HOSTS } from './host.ts';

interface HostAnswer extends HostDecision {
  readonly host: Host;
}

export interface ToolHosts {
  readonly tool: string;
  /** Read as grave enough that a person should say yes. */
  readonly dangerous: boolean;
  readonly answers: readonly HostAnswer[];
  /** Of the hosts that go by hints, some run it free and others do not. */
  readonly disagree: boolean;
  /** The hosts that go by hints and run it free although it is dangerous. */
  readonly freeThough: readonly Host[];
}

export function toHostRows(subject: ServerSubject): readonly ToolHosts[] {
  return subject.tools.map(toRow);
}

function toRow({ name, raw, reading }: ToolSubject): ToolHosts {
  const answers = HOSTS.map((host) => ({ host, ...decideHost(host, raw) }));
  // A host that treats all tools alike says nothing about this one.
  const heeding = answers.filter(({ host, answer }) => heedsHints(host) && answer !== 'unknown');
  const free = heeding.filter(({ answer }) => answer === 'free');
  return {
    tool: name,
    dangerous: reading.asks,
    answers,
    disagree: free.length > 0 && free.length < heeding.length,
    freeThough: reading.asks ? free.map(({ host }) => host) : [],
  };
}
