/** How a check is to be made: whose expectations, what counts how much, and what is let pass until when. */
import type { Severity } from './finding.ts';
import type { Profile } from './rule.ts';

export interface Settings {
  readonly profiles: readonly Profile[];
  /** By code or by rule, the code first; they win over profiles. */
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly ignores: readonly Ignore[];
  /** The day that ignores are held against. */
  readonly now: Date;
}

export interface Ignore {
  /** A rule, or one of its codes. */
  readonly rule: string;
  /** Names, in which `*` stands for anything. Absent: every one. */
  readonly server?: string;
  readonly tool?: string;
  readonly reason: string;
  /** The last day that it holds on, as `2027-03-01`. */
  readonly until: string;
}

export const DEFAULT_PROFILES: readonly Profile[] = Object.freeze(['spec']);

export function defaultSettings(now: Date): Settings {
  return { profiles: DEFAULT_PROFILES, severities: new Map(), ignores: [], now };
}
