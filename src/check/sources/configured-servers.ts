/**
 * The servers of a host's configuration or of `plimsoll.yaml`, each as the command or URL to list its
 * tools from. Variables are expanded from the environment. Opens nothing.
 */
import type { Environment } from '../../gate/config/environment.ts';
import { expandServer, expandText } from '../../gate/config/environment.ts';
import { readConfig } from '../../gate/config/read-config.ts';
import type { ServerEntry } from '../../gate/hosts/find-servers.ts';
import { findServers } from '../../gate/hosts/find-servers.ts';
import { memberOf, membersOf, valueOf } from '../../gate/hosts/host-json.ts';
import { readHostText } from '../../gate/hosts/host-text.ts';
import { fileKindOf } from '../../gate/hosts/known-hosts.ts';
import { readGated } from '../../gate/hosts/read-gated.ts';
import { readServer } from '../../gate/hosts/read-server.ts';
import { toFaultLine } from '../../lib/read-yaml.ts';
import type { SourceFailure } from '../check-server.ts';

interface ConfiguredServer {
  readonly name: string;
  readonly reach: Reach;
}

type Texts = Readonly<Record<string, string>>;

/** The input of `listTools`, with what a configuration adds. */
export type Reach =
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly env: Texts;
      readonly cwd?: string;
    }
  | { readonly kind: 'url'; readonly url: string; readonly headers: Texts };

export interface ConfiguredServers {
  readonly servers: readonly ConfiguredServer[];
  readonly failures: readonly SourceFailure[];
}

/** Undefined when the text is not a configuration of any known host. */
export function readHostServers(
  text: string,
  file: string,
  environment: Environment,
): ConfiguredServers | undefined {
  const { format, isGemini } = fileKindOf(file);
  const reading = readHostText(text, format);
  if (reading.kind === 'malformed') return undefined;
  const { layout, servers: entries, odd } = findServers(reading.root, isGemini);
  // `plimsoll.yaml` has a map of that name; hosts that write YAML have a list.
  const isOurs = format === 'yaml' && memberOf(reading.root, 'mcpServers')?.value.type !== 'array';
  if (layout === undefined || isOurs) return undefined;
  const failures = odd.map(({ name, why }) => ({ name, detail: `its entry is ${why}` }));
  const servers: ConfiguredServer[] = [];
  for (const entry of entries) {
    const { name } = entry;
    if (isDisabled(entry)) continue;
    try {
      servers.push({ name, reach: toReach(entry, environment) });
    } catch (error) {
      failures.push({ name, detail: (error as Error).message }); // thrown below or by expandText
    }
  }
  return { servers, failures };
}

export function readGateServers(
  text: string,
  file: string,
  environment: Environment,
): ConfiguredServers | { readonly faults: readonly string[] } {
  const reading = readConfig(text, file, { environment });
  if (reading.kind === 'faults') return { faults: reading.faults.map(toFaultLine) };
  const servers = reading.config.servers
    .filter(({ disabled }) => !disabled)
    .map((server): ConfiguredServer => {
      const expanded = expandServer(server, environment);
      if (expanded.kind === 'remote') {
        const { url, headers } = expanded;
        return { name: server.name, reach: { kind: 'url', url, headers } };
      }
      const { command, args, env, cwd } = expanded;
      return { name: server.name, reach: { kind: 'command', command, args, env, cwd } };
    });
  return { servers, failures: [] };
}

/** For a server behind the gate, the server is checked, not the gate. */
function toReach({ name, node, dialect }: ServerEntry, environment: Environment): Reach {
  const expand = (text: string): string => expandText(text, environment);
  const expandAll = (texts: Texts): Texts =>
    Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, expand(text)]));
  const gated = readGated(name, node, dialect);
  const server = gated ?? readServer(node, dialect);
  if (server.kind === 'other') throw new Error(`its entry is ${server.why}`);
  if (server.kind === 'remote') {
    const { url, headers, headersFrom, bearerFrom } = server;
    const variable = (from: string): string => expand(`\${${from}}`);
    const bearer = bearerFrom !== undefined && { Authorization: `Bearer ${variable(bearerFrom)}` };
    const others = Object.entries(headersFrom).map(([key, from]) => [key, variable(from)]);
    const all = { ...expandAll(headers), ...(Object.fromEntries(others) as Texts), ...bearer };
    return { kind: 'url', url: expand(url), headers: all };
  }
  const cwd = memberOf(node, 'cwd')?.value;
  const folder = cwd === undefined ? undefined : valueOf(cwd);
  const texts = textsOf(memberOf(node, dialect.env)?.value);
  return {
    kind: 'command',
    command: expand(server.command),
    args: server.args.map(expand),
    env: expandAll(gated?.kind === 'command' ? pick(texts, gated.env) : texts),
    ...(typeof folder === 'string' && { cwd: expand(folder) }),
  };
}

/** The texts under other names. */
function pick(texts: Texts, names: Texts): Texts {
  const entries = Object.entries(names).map(([name, from]) => [name, texts[from] ?? '']);
  return Object.fromEntries(entries) as Texts;
}

function isDisabled({ node }: ServerEntry): boolean {
  const says = (key: string, wanted: boolean): boolean => {
    const value = memberOf(node, key)?.value;
    return value !== undefined && valueOf(value) === wanted;
  };
  return says('disabled', true) || says('enabled', false);
}

function textsOf(node: Parameters<typeof valueOf>[0] | undefined): Texts {
  const entries = membersOf(node).flatMap(({ key, value }): [string, string][] => {
    const text = valueOf(value);
    return typeof text === 'string' || typeof text === 'number' ? [[key, String(text)]] : [];
  });
  return Object.fromEntries(entries);
}
