/** What is only written down for later or for oneself: a draft, a record with an amount. */
import type { Act } from '../act.ts';
import { headOf } from './act-with-object.ts';
import type { Parameters } from './read-parameters.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { goesOut, movesMoney } from './says-more.ts';
import { toSingular, toWords } from './to-words.ts';

interface NamedTool {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters;
}

/** A draft names its recipients but reaches nobody yet, and a simulation pays nobody. */
function isDraft({ name, description, parameters }: NamedTool): boolean {
  return (
    (writes(name, DRAFTS) || SANDBOXED.test(toWords(name).join('_'))) &&
    !SENT.test(description) &&
    !parameters.all.some(({ key }) => LETS_OUT.test(key))
  );
}
const DRAFTS = new Set('draft simulation mock template sandbox'.split(' '));

/** What a draft takes means less than it would: whom it will reach and, of a simulation, what it would cost. */
export function mutedBy(tool: NamedTool): ReadonlySet<Act> {
  if (!isDraft(tool)) return NOTHING;
  return writes(tool.name, SIMULATED) ? SIMULATES : REACHES;
}
const NOTHING: ReadonlySet<Act> = new Set();
const REACHES: ReadonlySet<Act> = new Set<Act>(['deliver']);
const SIMULATES: ReadonlySet<Act> = new Set<Act>(['deliver', 'spend']);
const SIMULATED = new Set(['simulation', 'mock']);
/** Into a box that is there for tests. */
const SANDBOXED = /(?:^|_)send_sandbox_[a-z]+$/;
const LETS_OUT =
  /^(?:is_|auto_|and_)?(?:send|publish(?:ed)?|live|launch|deliver|post)(?:_(?:now|at|immediately|it|after\w*|to\w*))?$/;

/** `update_draft`: "Update a draft and send it". The name would have it kept. */
export function readLetOut(tool: NamedTool): readonly Signal[] {
  if (!writes(tool.name, DRAFTS) || isDraft(tool)) return [];
  const key = tool.parameters.all.find((one) => LETS_OUT.test(one.key));
  if (key === undefined && !SENT.test(tool.description)) return [];
  const text = 'it lets out what it drafts';
  const reason =
    key === undefined
      ? ({ code: 'phrase', source: 'description', text } as const)
      : ({ code: 'parameter', source: 'schema', text } as const);
  return [signal('deliver', 0.6, reason)];
}
const SENT =
  /\b(?:(?:and|then) (?:sends?|publish(?:es)?|posts?|delivers?|launch(?:es)?) (?:it|them|the)|(?:push(?:es)?|goes)(?: \w+){0,2} live)\b/i;

/** `create_deal {amount, currency}`: an amount that is written down, with nobody to pay or to send it to. */
export function keepsAmount({ name, description, parameters }: NamedTool): boolean {
  return (
    writes(name, RECORDS) &&
    !movesMoney(description) &&
    !goesOut(description) &&
    !parameters.all.some(({ key }) => MOVED.test(key) || LETS_OUT.test(key))
  );
}
const RECORDS = new Set('deal opportunity invoice quote estimate lead contract'.split(' '));
const MOVED =
  /^(?:to|from|to_\w+|from_\w+|recipient\w*|beneficiary\w*|destination\w*|(?:\w+_)?(?:iban|bic|swift|wallet|address|routing_number|account_number|token|asset|symbol)|payment_\w+|card\w*|source|auto\w*|charge\w*|collection_method|send\w*|(?:\w+_)?emails?(?:_\w+)?|pay\w*|finalize\w*|frequency|price|gas\w*|slippage\w*|leverage|side)$/;

/** The name says that one of these is made or changed, and no more. */
function writes(name: string, things: ReadonlySet<string>): boolean {
  const words = toWords(name);
  const at = words.findIndex((word) => WRITES.has(word));
  if (at < 0 || at > 2) return false;
  if (words[at] === 'draft' && things.has('draft')) return true;
  return things.has(headOf(words.slice(at + 1).map(toSingular)));
}
const WRITES = new Set(
  'create add new make save store write update edit modify patch compose prepare duplicate copy draft push'.split(
    ' ',
  ),
);
