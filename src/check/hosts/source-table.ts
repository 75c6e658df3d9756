/** What is known of the hosts as Markdown, one row a condition, each with its source and date. */
import { HINT_NAMES } from '../../effect/hints.ts';
import type { Answer, HostCondition, HostRow } from './host.ts';
import { HOSTS } from './host.ts';

const ANSWERS: Readonly<Record<Answer, string>> = {
  free: 'runs free',
  asks: 'asks',
  refuses: 'refuses',
  unknown: 'is not known',
};

const HEAD = ['Host', 'Setting', 'When the tool says', 'It', 'Because', 'Source', 'Read'];

export function toSourceTable(): string {
  const rows = HOSTS.flatMap(({ name, setting, rows: conditions }) =>
    conditions.map((row, index) => [
      index === 0 ? name : '',
      index === 0 ? setting : '',
      toCondition(row, conditions.length === 1),
      ANSWERS[row.answer],
      row.because,
      toSource(row),
      row.date,
    ]),
  );
  return [HEAD, HEAD.map(() => '---'), ...rows].map(toLine).join('\n');
}

function toCondition({ when }: HostRow, isOnly: boolean): string {
  if (when !== undefined) return toWords(when);
  return isOnly ? 'anything' : 'anything else';
}

function toWords({ hints = {}, meta = {} }: HostCondition): string {
  const said = HINT_NAMES.flatMap((name) => {
    const wanted = hints[name];
    if (wanted === undefined) return [];
    return [`\`${name}\` ${[wanted].flat().map(String).join(' or ')}`];
  });
  const keys = Object.entries(meta).map(([key, value]) => `\`_meta["${key}"]\` ${String(value)}`);
  return [...said, ...keys].join(', ');
}

function toSource({ source, secondHand }: HostRow): string {
  return secondHand === true ? `${source} (second-hand)` : source;
}

function toLine(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
