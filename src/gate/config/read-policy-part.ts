/** The policy of a configuration, which stands in it or in a file of its own. Its rules are read elsewhere. */
import { resolve } from 'node:path';
import { isMap } from 'yaml';
import type { Policy } from '../policy/policy.ts';
import type { PolicyFault } from '../policy/policy-fault.ts';
import { readPolicy } from '../policy/read-policy.ts';
import type { ConfigFault } from './config-fault.ts';
import type { Spot } from './spot.ts';
import { fault, readText } from './spot.ts';

interface PolicyPlace {
  /** The whole text of the configuration. */
  readonly text: string;
  readonly file: string;
  readonly folder: string;
  readonly readFile: (path: string) => string;
  readonly faults: ConfigFault[];
}

export function readPolicyPart(spot: Spot | undefined, place: PolicyPlace): Policy | undefined {
  if (spot === undefined) return undefined;
  const { node } = spot;
  if (isMap(node)) return read(cutOut(place.text, node.range), place.file, place);
  const name = readText(spot);
  if (name === undefined) return undefined;
  const path = resolve(place.folder, name);
  let text: string;
  try {
    text = place.readFile(path);
  } catch {
    return fault(spot, 'the file cannot be read.');
  }
  return read(text, path, place);
}

function read(text: string, file: string, { faults }: PolicyPlace): Policy | undefined {
  const answer = readPolicy(text, file);
  if (answer.kind === 'policy') return answer.policy;
  faults.push(...answer.faults.map((one) => toConfigFault(one, file)));
  return undefined;
}

function toConfigFault({ path, detail, line, column }: PolicyFault, file: string): ConfigFault {
  const message = path === '' ? `policy: ${detail}` : `policy.${path}: ${detail}`;
  return { file, line: line ?? 1, column: column ?? 1, message };
}

/** The rest is blanked out and not cut off, so that faults keep their line and column. */
function cutOut(text: string, range: readonly number[] | null | undefined): string {
  const [start = 0, end = text.length] = range ?? [];
  return text.slice(0, start).replaceAll(/[^\r\n]/g, ' ') + text.slice(start, end);
}
