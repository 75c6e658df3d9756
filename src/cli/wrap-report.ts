/** What `plimsoll wrap` tells a person: the diff of each file, what is skipped and why, and what to do next. */
import { basename } from 'node:path';
import { toUnifiedDiff } from '../lib/unified-diff.ts';
import { HIDDEN } from '../gate/hosts/hide-argument.ts';
import { hideValues } from '../gate/hosts/hide-values.ts';
import { fileKindOf } from '../gate/hosts/known-hosts.ts';
import type { SkippedEntry } from '../gate/hosts/wrap-config.ts';
import type { WrapPlan } from '../gate/hosts/wrap-file.ts';
import type { Written } from './wrap.ts';

const REASONS: Readonly<Record<SkippedEntry['why'], string>> = {
  'already-wrapped': 'it is already behind the gate',
  'no-address': 'it has neither a command nor a URL',
  'odd-args': 'its command or arguments are not text',
  'odd-env': 'its environment is not names and values, or steers the gate',
  'odd-headers': 'its headers are not plain text',
  sse: 'it uses the old SSE transport, which the gate does not support',
  'headers-helper': 'its headers come from a helper, which the gate cannot run',
  'url-and-command': 'it has a URL and also members of a command, which would come into force',
  'not-an-object': 'it is not an object',
  'named-twice': 'another server has the same name',
  'member-twice': 'one of its members is there twice',
  'no-name': 'it has no name',
  'odd-layout':
    'wrap cannot edit it in this form (an inline table, dotted keys, a flow map or an anchor); write it as a block of its own, such as [mcp_servers.NAME] in TOML with one "key = value" on each line',
  'two-addresses': 'it has two addresses',
};

const HIDDEN_NOTE = `${HIDDEN} stands for values that may be secrets; wrap writes them as they are\n`;

export function toWrapReport(
  { file, host, before, result, joined }: WrapPlan,
  isOneOfMany: boolean,
): string {
  const name = basename(file);
  const head = isOneOfMany || host !== undefined ? [`${host ?? 'File'}: ${file}\n`] : [];
  const kind = fileKindOf(file);
  const [old, wrapped] = [hideValues(before, kind), hideValues(result.text, kind)];
  const diff = toUnifiedDiff(old, wrapped, { before: name, after: `${name} (wrapped)` });
  const hidden = diff.includes(HIDDEN) ? [HIDDEN_NOTE] : [];
  const shared = joined.map(({ entry: { name: own, servers } }) => {
    const names = servers.map((server) => server.name);
    return `${names.join(', ')} share one gate, ${own}, under the same tool names\n`;
  });
  const fresh = new Set(joined.map(({ entry }) => entry.name));
  const notes = result.skipped
    .filter(({ name: own }) => !fresh.has(own))
    .map(({ path, why }) => `${path.join('.')} is skipped: ${REASONS[why]}\n`);
  const none = before === result.text ? ['there is nothing to wrap\n'] : [];
  return visible([...head, diff, ...hidden, ...shared, ...notes, ...none].join(''));
}

export function isChange({ before, result }: WrapPlan): boolean {
  return before !== result.text;
}

export function toNextSteps(results: readonly Written[], isForAll: boolean): string {
  const planned = results.filter(({ plan }) => isChange(plan));
  const written = planned.filter(({ backup }) => backup !== undefined);
  if (planned.length === 0) return '';
  if (written.length === 0) {
    const how = isForAll ? '; plimsoll wrap --yes writes all of it' : '';
    return `nothing was written${how}\n`;
  }
  const lines = written.map(
    ({ plan, backup }) =>
      `wrapped ${countServers(plan)} in ${plan.file}; the original file is in ${backup}\n`,
  );
  const signIns = written.flatMap(({ plan }) =>
    plan.result.servers.flatMap(({ name, signIn }) =>
      signIn === undefined ? [] : [`If ${name} wants you to sign in: plimsoll login ${signIn}`],
    ),
  );
  const hosts = new Set(written.map(({ plan }) => plan.host ?? 'the host'));
  const steps = [
    `Restart ${[...hosts].join(', ')}.`,
    ...signIns,
    'Sign your browser in, where you will answer what the gate asks: plimsoll console --open',
    'Or answer in a terminal: plimsoll approve --watch',
    'See what is wrapped, what runs, what waits and which presets fit: plimsoll status',
    'Undo all of it: plimsoll unwrap',
  ];
  return visible([...lines, '\nNext:\n', ...steps.map((step) => `  - ${step}\n`)].join(''));
}

function countServers({ result, joined }: WrapPlan): number {
  return result.servers.length + joined.flatMap(({ entry }) => entry.servers).length;
}

/** A configuration is untrusted text; control characters must not reach the terminal. */
export function visible(text: string): string {
  return text.replaceAll(/\r(?=\n)/g, '').replaceAll(/(?![\t\n])\p{C}/gu, '\u{fffd}');
}
