/**
 * Reads `plimsoll.yaml` (YAML, and so JSON). Everything that is wrong is told at once, each with its
 * line and column; a configuration with a fault is none. Opens no server and no ledger.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { LineCounter, parseDocument } from 'yaml';
import type { ConfigFault } from './config-fault.ts';
import type { Environment } from './environment.ts';
import type { GateConfig } from './gate-config.ts';
import { readHttp } from './read-http.ts';
import { readLedger } from './read-ledger.ts';
import { readPolicyPart } from './read-policy-part.ts';
import { readServer } from './read-server.ts';
import type { Source, Spot } from './spot.ts';
import { fault, readEntries, readFields, readText } from './spot.ts';

export type ReadConfig =
  | { readonly kind: 'config'; readonly config: GateConfig }
  | { readonly kind: 'faults'; readonly faults: readonly ConfigFault[] };

export interface ReadConfigOptions {
  /** With one, what it lacks is a fault; without, only the form is read. */
  readonly environment?: Environment;
  /** For the policy, when it is in a file of its own. Default: from the disk. */
  readonly readFile?: (path: string) => string;
}

const KNOWN = ['mcpServers', 'policy', 'ledger', 'lock', 'http'];
const INSTEAD = { servers: 'is `mcpServers` here.' };

export function readConfig(
  text: string,
  file: string,
  { environment, readFile = (path) => readFileSync(path, 'utf8') }: ReadConfigOptions = {},
): ReadConfig {
  const faults: ConfigFault[] = [];
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const source: Source = {
    document,
    environment,
    fault: (offset, message) => {
      const { line, col } = lines.linePos(offset);
      faults.push({ file, line: Math.max(1, line), column: Math.max(1, col), message });
    },
  };
  for (const { pos, message } of [...document.errors, ...document.warnings]) {
    source.fault(pos[0], message);
  }
  if (faults.length > 0) return { kind: 'faults', faults };
  const whole: Spot = { source, path: '', offset: 0, node: document.contents };
  const fields = readFields(whole, KNOWN, INSTEAD);
  if (fields === undefined) return { kind: 'faults', faults };
  const path = resolve(file);
  const folder = dirname(path);
  const policy = readPolicyPart(fields['policy'], { text, file, folder, readFile, faults });
  const ledger = readLedger(fields['ledger'], folder);
  const http = readHttp(fields['http']);
  const config: GateConfig = {
    file: path,
    servers: readServers(fields['mcpServers'] ?? fault(whole, 'mcpServers is missing.'), folder),
    ...(policy !== undefined && { policy }),
    ...(ledger !== undefined && { ledger }),
    lock: resolve(folder, readText(fields['lock']) ?? 'plimsoll.lock.json'),
    ...(http !== undefined && { http }),
  };
  if (faults.length === 0) return { kind: 'config', config: Object.freeze(config) };
  return { kind: 'faults', faults: faults.toSorted((a, b) => a.line - b.line) };
}

function readServers(spot: Spot | undefined, folder: string): GateConfig['servers'] {
  const seen = new Map<string, string>();
  return (readEntries(spot) ?? []).flatMap((entry) => {
    const folded = entry.key.toLowerCase();
    const twin = seen.get(folded);
    if (twin !== undefined) {
      fault({ ...entry.value, offset: entry.keyOffset }, `differs from ${twin} in case only.`);
    }
    seen.set(folded, entry.key);
    return readServer(entry, folder);
  });
}
