/** What the tools of a server say of themselves, hint by hint, and what each host makes of it. */
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import { showText } from '../../gate/approve/show-text.ts';
import { memberOf } from '../look/member-of.ts';
import type { ServerSubject } from '../subject.ts';
import { toHostTable } from './to-host-table.ts';

export function toToolDetails(subject: ServerSubject): string {
  const names = subject.tools.map(({ name }) => showText(name));
  const width = Math.max(4, ...names.map(({ length }) => length));
  const head = ['Tool'.padEnd(width), ...HINT_NAMES].join('  ');
  const rows = subject.tools.map(({ raw }, index) =>
    [
      (names[index] ?? '').padEnd(width),
      ...HINT_NAMES.map((hint) => toWord(raw, hint).padEnd(hint.length)),
    ]
      .join('  ')
      .trimEnd(),
  );
  return [head, ...rows, '', toHostTable(subject)].join('\n');
}

function toWord(raw: unknown, hint: HintName): string {
  const said = memberOf(raw, 'annotations', hint);
  if (said === undefined) return '—';
  return typeof said === 'boolean' ? String(said) : 'no boolean';
}
