/**
 * How a description says what the tool itself does, beside what its name says: "Finds a flight and books it",
 * "Charges the card". A verb that may be a noun counts only before its object.
 */
import type { Act } from '../act.ts';

interface AssertionPattern {
  readonly act: Act;
  readonly pattern: RegExp;
  /** Counts for a read, too; the others are more likely about its result. */
  readonly evenOfReads: boolean;
}

type Entry = readonly [act: Act, pattern: RegExp];

/** Removed from texts, views and results, where nothing is lost. */
export const TRIFLES: string = [
  '(?:(?:the|all|any|an?|its|every|extra|leading|trailing|unnecessary|unused|empty) )*',
  '(?:(?:duplicated?|redundant|empty|null) (?:entries|results?|lines?|values?)|',
  'white ?spaces?|spaces?|duplicates?|formatting|html|markup|markdown|noise|caches?|filters?|placeholders?|nulls?|',
  'boilerplate|ads|background|stop ?words|selections?|highlights?|prefix\\w*|suffix\\w*|accents?|quotes?|newlines?|',
  'columns? from the (?:result|output)|labels?|tags?|reactions?|stars?|likes?)\\b',
].join('');
const NO_TRIFLE = `(?!${TRIFLES})`;
/** A second verb of the same subject. */
const SECOND = String.raw`\b(?:and|then|also)\b,? (?:(?:then|also|finally|\w+ly) ){0,2}`;
const OBJECT = String.raw`(?:it|them|the|an?|all|any|every|your|their|its|this|these)`;

const OF_ALL: readonly Entry[] = [
  [
    'delete',
    new RegExp(
      `${SECOND}(?:deletes|erases|purges|destroys|wipes|uninstalls) ${NO_TRIFLE}[a-z]`,
      'i',
    ),
  ],
  ['delete', new RegExp(`${SECOND}(?:removes|cancels) (?=${OBJECT}\\b)${NO_TRIFLE}`, 'i')],
  ['delete', /\b(?:and|then) (?:\w+ly )?resets (?:the|its|their|your|all) \w+/i],
  ['revoke', new RegExp(`${SECOND}(?:quarantines|revokes|deactivates|suspends) [a-z]`, 'i')],
  [
    'delete',
    /\b(?:all|any|every|everything|your|current|existing|unsaved) (?:\w+ ){0,3}(?:will be|is|are|gets?) lost\b/i,
  ],
  [
    'delete',
    /\b(?:loads|restores|copies|imports|writes|pulls) (?:\w+ ){1,4}over (?:(?:the|your|any) )?(?:current|existing|live|production)\b/i,
  ],
  [
    'spend',
    new RegExp(`${SECOND}(?:books|reserves|buys|purchases|pays|rents|hires) ${OBJECT}\\b`, 'i'),
  ],
  [
    'spend',
    /\b(?:places|will place) (?:the|an?|your|this) (?:\w+ )?(?:order|bid|bet|trade|hold)\b/i,
  ],
  ['spend', /(?:^\W*|\b(?:and|then|this|it|will) )(?:buys|orders) an? (?!list|set|array|col)\w+/i],
  [
    'spend',
    /(?:^\W*|\b(?:and|then|this|it) )(?:charges|debits|bills) (?:the|your|an?|their) (?:\w+ )?(?:cards?|accounts?|customers?|users?|wallets?|clients?|guests?|payment methods?)\b/i,
  ],
  [
    'deliver',
    /^\W*(?:sends|e-?mails|mails|forwards|faxes) (?:the|your|this|these|all) (?!(?:\w+ )?(?:requests?|quer(?:y|ies)|prompts?|commands?|pings?|packets?|questions?|search|signals?|code|input)\b)(?:\w+ ){1,4}(?:to|by e-?mail)\b/i,
  ],
  [
    'share',
    /\b(?:returns?|creates?|generates?|makes?|gives?) (?:\w+ ){0,4}(?:link|url) (?:that )?anyone\b/i,
  ],
  [
    'share',
    /\b(?:and|then) (?:\w+ly )?(?:applies|deploys|publishes|releases|pushes) (?:it|them|the \w+) (?:to|on|into) (?:the )?(?:production|prod|live)\b/i,
  ],
];

const OF_WRITES: readonly Entry[] = [
  ['delete', new RegExp(`${SECOND}(?:removes|overwrites|discards|drops) ${NO_TRIFLE}[a-z]`, 'i')],
  [
    'delete',
    /,\s*(?:and |then |thereby |thus )?(?:deleting|removing|erasing|overwriting|wiping|destroying|purging|discarding) (?:the|all|any|every|existing|current|old|older|previous|extra|missing|other|those|files?|records?)\b/i,
  ],
  [
    'put',
    /\breplac(?:es|ing) (?:(?:the|any|all|its|your) )?(?:current|existing|previous) (?!tools?\b|ones?\b)\w+/i,
  ],
];

export const ASSERTION_PATTERNS: readonly AssertionPattern[] = [
  ...OF_ALL.map(([act, pattern]) => ({ act, pattern, evenOfReads: true })),
  ...OF_WRITES.map(([act, pattern]) => ({ act, pattern, evenOfReads: false })),
];
