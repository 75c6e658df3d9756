/** The hosts' answers as a table for a terminal. Hosts that treat all tools alike are listed below it. */
import { HINT_NAMES } from '../../effect/hints.ts';
import { TIERS } from '../../effect/tier.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { ServerSubject, ToolSubject } from '../subject.ts';
import type { HostDecision, Answer, Host, HostCondition, HostRow } from './decide-host.ts';
import { decideHost, HOSTS, fixedAnswer, heedsHints } from './decide-host.ts';
import { countOf } from '../../lib/count-of.ts';

const WORDS: Readonly<Record<Answer, string>> = {
  free: 'free',
  asks: 'asks',
  refuses: 'refuses',
  unknown: '?',
};

const ALIKE: readonly (readonly [Answer, string])[] = [
  ['free', 'Run every tool free'],
  ['asks', 'Ask about every tool'],
  ['refuses', 'Refuse every tool'],
  ['unknown', 'Not known'],
];

const LONGEST_NAME = 40;
const COLUMN = 10;

export function toHostTable(subject: ServerSubject): string {
  const rows = toHostRows(subject);
  const columns = HOSTS.filter((host) => fixedAnswer(host) === undefined);
  const names = rows.map(({ tool }) => shorten(showText(tool)));
  const width = Math.max(4, ...names.map(({ length }) => length));
  const head = ['    ', 'Tool'.padEnd(width), ...columns.map(({ short }) => short.padEnd(COLUMN))];
  const body = rows.map((row, index) => [
    toMarks(row),
    (names[index] ?? '').padEnd(width),
    ...columns.map((host) => WORDS[answerOf(row, host)].padEnd(COLUMN)),
  ]);
  return [...[head, ...body].map(toLine), '', ...toLegend(rows), ''].join('\n');
}

function toMarks({ disagree, freeThough }: ToolHosts): string {
  return `${freeThough.length > 0 ? '!' : ' '}${disagree ? '≠' : ' '}  `;
}

function answerOf({ answers }: ToolHosts, { id }: Host): Answer {
  return answers.find(({ host }) => host.id === id)?.answer ?? 'unknown';
}

function toLegend(rows: readonly ToolHosts[]): readonly string[] {
  const fixed = ALIKE.flatMap(([answer, words]) => {
    const names = HOSTS.filter((host) => fixedAnswer(host) === answer).map(({ name }) => name);
    return names.length > 0 ? [`${words}: ${names.join(', ')}`] : [];
  });
  const split = rows.filter(({ disagree }) => disagree).length;
  const risky = rows.filter(({ freeThough }) => freeThough.length > 0);
  return [
    ...fixed,
    ...(split > 0 ? [`≠  hosts that use hints disagree: ${count(split)}`] : []),
    ...(risky.length > 0 ? [`!  inferred as dangerous and runs free: ${count(risky.length)}`] : []),
    ...risky.map(({ tool, freeThough }) => {
      const names = freeThough.map(({ name }) => name).join(', ');
      return `   ${shorten(showText(tool))} in ${names}`;
    }),
    'Each host is shown in one setting; docs/hosts-and-hints.md says which, with sources.',
  ];
}

function count(tools: number): string {
  return countOf(tools, 'tool');
}

function shorten(name: string): string {
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

function toLine(cells: readonly string[]): string {
  return cells.join(' ').trimEnd();
}

/** What every host does with every tool of a server, as data, with what deserves attention. */
interface HostAnswer extends HostDecision {
  readonly host: Host;
}

export interface ToolHosts {
  readonly tool: string;
  /** Inferred as grave enough to require approval. */
  readonly dangerous: boolean;
  readonly answers: readonly HostAnswer[];
  /** Of the hosts that use hints, some run it free and others do not. */
  readonly disagree: boolean;
  /** The hosts that use hints and run it free although it is dangerous. */
  readonly freeThough: readonly Host[];
}

export function toHostRows(subject: ServerSubject): readonly ToolHosts[] {
  return subject.tools.map(toRow);
}

function toRow({ name, raw, inferred }: ToolSubject): ToolHosts {
  const answers = HOSTS.map((host) => ({ host, ...decideHost(host, raw) }));
  // A host that treats all tools alike says nothing about this one.
  const heeding = answers.filter(({ host, answer }) => heedsHints(host) && answer !== 'unknown');
  const free = heeding.filter(({ answer }) => answer === 'free');
  const dangerous = TIERS[inferred.effect.tier].asks;
  return {
    tool: name,
    dangerous,
    answers,
    disagree: free.length > 0 && free.length < heeding.length,
    freeThough: dangerous ? free.map(({ host }) => host) : [],
  };
}

/** What is known about the hosts as Markdown, one row per condition, each with its source and date. */
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
  return [HEAD, HEAD.map(() => '---'), ...rows].map(toMarkdownRow).join('\n');
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

function toMarkdownRow(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}
