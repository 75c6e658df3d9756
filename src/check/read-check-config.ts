/**
 * Reads `plimsoll.check.yaml` (YAML, and so JSON). Everything that is wrong is reported at once, each error
 * with its line and column; a configuration with an error is not used.
 */
import { z } from 'zod';
import { always, checkShape, only, text as nonEmpty } from '../lib/check-shape.ts';
import type { FileFault } from '../lib/read-yaml.ts';
import { readYaml, toFileFault } from '../lib/read-yaml.ts';
import { suggest } from '../lib/suggest.ts';
import type { Severity } from './finding.ts';
import { PROFILE_NAMES, SEVERITIES } from './profiles.ts';
import type { Profile, Rule } from './rule.ts';
import type { Ignore } from './settings.ts';

export interface CheckConfig {
  readonly profiles?: readonly Profile[];
  readonly failOn?: Severity;
  readonly severities: ReadonlyMap<string, Severity | 'off'>;
  readonly ignores: readonly Ignore[];
}

export type ReadCheckConfig =
  | { readonly kind: 'config'; readonly config: CheckConfig }
  | { readonly kind: 'faults'; readonly faults: readonly FileFault[] };

const INSTEAD = {
  profile: 'is `profiles`, a list, here',
  ignores: 'is `ignore` here',
  rules: 'is `severities` here',
};

/** The rules say which names there are. */
export function readCheckConfig(
  text: string,
  file: string,
  rules: readonly Rule[],
): ReadCheckConfig {
  const names = rules.flatMap(({ id, codes }) => [id, ...Object.keys(codes)]);
  const schema = toSchema(names);
  // An empty file says nothing, and that is allowed.
  const reading = readYaml(text, (value = {}) => checkShape(schema, value));
  if (reading.kind === 'faults')
    return { kind: 'faults', faults: reading.faults.map((fault) => toFileFault(fault, file)) };
  const { severities, ignore, ...rest } = reading.value;
  const config = { ...rest, severities: new Map(Object.entries(severities)), ignores: ignore };
  return { kind: 'config', config: Object.freeze(config) };
}

function toSchema(names: readonly string[]) {
  const unknownRule = (name: string): string => {
    const near = suggest(name, names);
    return `there is no such rule.${near === undefined ? '' : ` Did you mean ${near}?`}`;
  };
  const rule = nonEmpty.refine((name) => names.includes(name), {
    error: ({ input }) => unknownRule(String(input)),
  });
  const severities = z
    .record(z.string(), z.enum([...SEVERITIES, 'off']))
    .superRefine((given, context) => {
      for (const name of Object.keys(given)) {
        if (names.includes(name)) continue;
        const message = unknownRule(name);
        context.addIssue({ code: 'custom', path: [name], message, params: { onKey: true } });
      }
    }, always);
  const ignore = only({
    rule,
    server: nonEmpty.exactOptional(),
    tool: nonEmpty.exactOptional(),
    reason: nonEmpty,
    until: z.string().refine(isDay, 'must be a day, such as 2027-03-01'),
  });
  return only(
    {
      profiles: z.array(z.enum(PROFILE_NAMES)).exactOptional(),
      failOn: z.enum(SEVERITIES).exactOptional(),
      severities: severities.default({}),
      ignore: z.array(ignore).default([]),
    },
    INSTEAD,
  );
}

function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00:00Z`);
  const isOnCalendar = !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
  return /^\d{4}-\d\d-\d\d$/.test(day) && isOnCalendar;
}
