/** Severities of a rule that holds for one house and for nobody else. */
import type { Severity } from '../finding.ts';
import type { Profile } from '../rule.ts';

const ALL: readonly Profile[] = [
  'spec',
  'anthropic-directory',
  'openai-apps',
  'closient',
  'geopera',
  'nextcloud',
  'epd',
  'strict',
];

export function onlyIn(
  house: Profile,
  severity: Severity = 'warning',
): Readonly<Partial<Record<Profile, Severity | 'off'>>> {
  const rows = ALL.map((profile): [Profile, Severity | 'off'] => [
    profile,
    profile === house ? severity : 'off',
  ]);
  return Object.fromEntries(rows);
}
