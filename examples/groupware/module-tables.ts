/** The tools as Markdown tables, one for each module: what people see, what hosts are told, what may be retried. */
import { nextcloud, possibleEffects, stamp } from 'plimsoll';
import type { Operation, Repeat } from 'plimsoll';
import { groupwareModules } from './operations.ts';
import type { Groupware } from './operations/declare.ts';

const HEADINGS: Readonly<Record<string, string>> = {
  oauth_tools: 'Access',
  notes: 'Notes',
  webdav: 'Files',
  calendar: 'Calendars and todos',
  semantic: 'Semantic search',
  contacts: 'Contacts',
  deck: 'Boards',
  tables: 'Tables',
  sharing: 'Sharing',
  cookbook: 'Recipes',
  news: 'News',
};

export function toModuleTables(): string {
  // Declaring tools calls nothing of what they work with.
  const modules = groupwareModules({ zone: 'UTC', now: () => new Date(0) } as unknown as Groupware);
  return Object.entries(modules)
    .map(([module, operations]) => {
      const head = `### ${HEADINGS[module] ?? module} (${operations.length})`;
      const columns = '| Tool | Title | Hints that are sent | Safe to retry | Scope |';
      const rows = operations.map(toRow);
      return [head, '', columns, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
    })
    .join('\n\n');
}

function toRow(operation: Operation): string {
  const { name, title, scopes } = operation;
  const { annotations } = stamp(operation, nextcloud);
  const hints = Object.entries(annotations).map(([hint, value]) => `\`${hint}: ${String(value)}\``);
  const cells = [`\`${name}\``, title, hints.join(', '), toRetry(operation), scopes.join(', ')];
  return `| ${cells.join(' | ')} |`;
}

/** By the facts, which say more than one boolean; of several possible effects the worst counts. */
function toRetry({ effect }: Operation): string {
  const answers = possibleEffects(effect).map(({ repeat }) => describe(repeat));
  return answers.find((answer) => answer === 'no') ?? answers.at(-1) ?? 'no';
}

function describe(repeat: Repeat): string {
  if (repeat.kind === 'fresh') return 'no';
  if (repeat.kind !== 'version') return 'yes';
  return repeat.need === 'required' ? 'yes: refused as stale' : 'with its etag';
}
