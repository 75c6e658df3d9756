/** Finds text that influences how tools of other servers are used. */
import { showText } from '../../../gate/approvals/show-text.ts';
import { toolTexts } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ServerSubject } from '../../subject.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

const LONGEST = 20_000;
/** A name that cannot be an ordinary word of a sentence. */
const SHAPED = /^(?=.{5,})(?:\w+[_.-]\w[\w.-]*|[a-z]+[A-Z]\w*)$/;
const WORD = /[\w][\w.-]*/g;

/** The named tool is the first group. */
const STEERS: readonly RegExp[] = [
  /\balways (?:first )?(?:call|use|run|invoke) (?:the )?[`'"“]?([\w][\w.-]*)[`'"”]?(?: tool)?,? (?:first|before|prior)\b/i,
  /\b(?:you )?must (?:first )?(?:call|use|run|invoke) (?:the )?[`'"“]([\w][\w.-]*)[`'"”]/i,
];
const OVER_OTHERS =
  /\b(?:instead of|rather than|in place of|in preference to|over) (?:using |calling )?(?:any|all|every|the)? ?(?:other|built-?in|native|default|standard|competing) (?:\w+ ){0,2}tools?\b|\b(?:do(?: not|n't)|never) (?:use|call|invoke) (?:any|the|all)? ?(?:other|built-?in|native) (?:\w+ ){0,2}tools?\b/i;

export const rule: Rule = {
  id: 'description-names-other-tools',
  category: 'security',
  severity: 'warning',
  summary: "A text of the tool says what to do with other servers' tools.",
  cost: 'One server changes how the model uses another, and nobody sees it happen.',
  profiles: { 'anthropic-directory': 'error', strict: 'error' },
  codes: {
    'description-names-other-tools/neighbour': 'it names a tool of another server',
    'description-names-other-tools/unknown':
      'it instructs the use of a tool that the server does not have',
    'description-names-other-tools/over-others': 'it puts itself in place of other tools',
  },
  checkTool(tool, server) {
    const known = knownOf(server);
    for (const { pointer, text, kind } of toolTexts(tool)) {
      if (kind === 'name') continue;
      const draft = findIn(text.slice(0, LONGEST), pointer, known);
      if (draft !== undefined) return [draft];
    }
    return [];
  },
};

function findIn(text: string, pointer: string, { own, foreign }: Known): Draft | undefined {
  const draft = (code: string, message: string): Draft => ({
    code: `description-names-other-tools/${code}`,
    pointer,
    message,
  });
  const named =
    foreign.size === 0
      ? undefined
      : text.match(WORD)?.find((word) => foreign.has(toPlain(word)) && !own.has(toPlain(word)));
  if (named !== undefined) {
    const server = quote(showText(foreign.get(toPlain(named)) ?? ''));
    return draft('neighbour', `It mentions ${quote(named)}, a tool of the server ${server}.`);
  }
  for (const pattern of STEERS) {
    const [, other = ''] = pattern.exec(text) ?? [];
    if (SHAPED.test(other) && !own.has(toPlain(other)))
      return draft(
        'unknown',
        `It instructs the use of ${quote(other)}, which the server does not have.`,
      );
  }
  const [over] = OVER_OTHERS.exec(text) ?? [];
  return over === undefined
    ? undefined
    : draft('over-others', `It says ${quote(showText(over.trim()))} to the model.`);
}

interface Known {
  readonly own: ReadonlySet<string>;
  /** Neighbours' tools whose names cannot occur by chance, with their servers. */
  readonly foreign: ReadonlyMap<string, string>;
}

const KNOWN = new WeakMap<ServerSubject, Known>();

function knownOf(server: ServerSubject): Known {
  let known = KNOWN.get(server);
  if (known === undefined) {
    const foreign = server.neighbours.flatMap(({ name, tools }) =>
      tools
        .filter((tool) => SHAPED.test(tool))
        .map((tool): [string, string] => [tool.toLowerCase(), name]),
    );
    const own = new Set(server.tools.map(({ name }) => name.toLowerCase()));
    known = { own, foreign: new Map(foreign) };
    KNOWN.set(server, known);
  }
  return known;
}

function toPlain(word: string): string {
  return word.toLowerCase().replace(/[.-]+$/, '');
}
