/**
 * What flags and lists among the arguments of a call say: `purge: true`, `ids_to_delete: [1]`. They name
 * nothing but an act, so that they count whatever the tool is called.
 */
import type { Act } from '../act.ts';
import { DRY_RUN, EMPTIES } from './read-choices.ts';
import { readParameters } from './read-parameters.ts';

/** As far as its definition says: whatever the arguments, and with these ones. */
interface Looking {
  readonly looks: boolean;
  readonly looksNow: boolean;
  readonly inputSchema: unknown;
}

/** Whatever is set: these name nothing but an act. */
const GRAVE =
  /^(?:(?:force|hard|bulk|mass|auto|permanent|permanently|and|then|do|should)_)?(?:delete|purge|destroy|erase|wipe|prune|nuke|drop|overwrite|expunge|obliterate)$/;
const ALL = '(?:_(?:all|now|everything|existing|data|it|them|immediately))?';

/** If it is switched on. */
const SWITCHES: readonly (readonly [pattern: RegExp, act: Act, always: boolean])[] = [
  [/^(?:\w+_)?(?:delete|purge|destroy|erase|wipe|overwrite)(?:_\w+)?$/, 'delete', true],
  [toFlag('clear|reset|remove|flush|evict|unlink|discard|cleanup|expunge'), 'delete', true],
  [EMPTIES, 'delete', true],
  [/^(?:skip_trash|hard)$/, 'delete', true],
  // Of a tool that looks, these turn a preview into the real thing.
  [/^(?:apply|commit|execute|run|confirm|write|save_changes)$/, 'delete', false],
  [toFlag('revoke|disable|suspend|ban'), 'revoke', true],
  [toFlag('cancel|terminate|kill|shutdown|stop|restart|rollback'), 'cancel', true],
  [toFlag('pay|buy|purchase|charge|checkout|place_order|auto_pay'), 'spend', true],
  [toFlag('refund'), 'refund', true],
  [toFlag('publish|share|make_public|expose|deploy'), 'share', true],
  [
    /^(?:send|notify\w*|send_(?:email|notification|invite|invitation|update|message)s?)$/,
    'deliver',
    true,
  ],
];

/** If it holds what that is done to. */
const LISTS: readonly (readonly [pattern: RegExp, act: Act])[] = [
  [toList('delete|remove|purge|destroy|erase|wipe|drop|unlink|evict|discard'), 'delete'],
  [/^(?:deletions?|deletes|removals?|removes)$/, 'delete'],
  [toList('revoke|ban|disable|suspend'), 'revoke'],
  [toList('cancel|terminate|kill'), 'cancel'],
  [toList('pay|charge|transfer|purchase|buy|checkout'), 'spend'],
  [toList('refund'), 'refund'],
  [/^(?:share_with|(?:send|forward|export|upload|post|deliver|email)(?:_\w+)?_to)$/, 'deliver'],
  [/^(?:webhook|callback|notify|notification)_ur[il]$/, 'deliver'],
];

/** `drop_table: "users"`; but `delete_after: "2026-01-01"` says when, and `delete_policy` how. */
const DOES_TO =
  /^(?:delete|purge|destroy|erase|wipe|drop)_(?!(?:after|at|before|by|count|date|event|flag|history|limit|lock|log|marker|mode|policy|protection|reason|rule|since|status|time|token|type)(?:_|$))\w+$/;

const PUBLIC =
  /^(?:(?:is|make|allow|enable)_)?(?:public|public_(?:access|read|write|link|visibility|sharing)|publicly_(?:accessible|visible|readable)|anonymous_access)$|^anyone_can_\w+$/;
const PUBLISHED = /^(?:is_)?published$/;
/** If it is switched off. */
const PRIVATE = /^(?:is_)?private$|^(?:block|restrict|prevent)_public(?:_\w+)?$/;

/** A state that a write puts something into; for a tool that looks it says what is looked for. */
const GONE = /^(?:is_)?(?:in_trash|in_bin|trashed|deleted)$/;
/** Archiving can be taken back, unless the server says of the argument that it deletes. */
const ARCHIVED = /^(?:is_)?archived?$/;
const SAYS_DELETE = /\b(?:delet(?:e[sd]?|ing)|remov(?:e[sd]?|ing)|trash(?:e[sd])?)\b/i;

/** These take a danger away, or speak of what was removed. */
const NEGATES =
  /^(?:no|not|never|skip|without|exclude|include|show|with|is|was|can|dont|prevent|allow)_/;

/** What the keys of such arguments look like. */
export const SWITCH_KEYS: readonly RegExp[] = [
  GRAVE,
  DOES_TO,
  DRY_RUN,
  PRIVATE,
  PUBLIC,
  PUBLISHED,
  GONE,
  ARCHIVED,
  ...SWITCHES.map(([pattern]) => pattern),
  ...LISTS.map(([pattern]) => pattern),
];

export function readSwitch(
  { looks, looksNow, inputSchema }: Looking,
  key: string,
  value: unknown,
): Act | undefined {
  if (PRIVATE.test(key) && !looks && isOff(value)) return 'share';
  if ((PUBLIC.test(key) || PUBLISHED.test(key)) && !looks && isOn(value)) return 'share';
  if (GONE.test(key) && !looks && isOn(value)) return 'delete';
  if (ARCHIVED.test(key) && !looks && isOn(value) && saysDelete(inputSchema, key)) return 'delete';
  // What claims to look only has no other run than a dry one.
  if (DRY_RUN.test(key) && looksNow && isOff(value)) return 'delete';
  if (NEGATES.test(key)) return undefined;
  if (GRAVE.test(key) && isSet(value)) return 'delete';
  if (DOES_TO.test(key) && typeof value === 'string' && isSet(value)) return 'delete';
  if (isOn(value)) {
    return SWITCHES.find(([pattern, , always]) => (always || looksNow) && pattern.test(key))?.[1];
  }
  const found = LISTS.find(([pattern]) => pattern.test(key))?.[1];
  const isAddress = found === 'deliver' && typeof value === 'string' && isSet(value);
  return isAddress || (typeof value === 'object' && isSet(value)) ? found : undefined;
}

function saysDelete(inputSchema: unknown, key: string): boolean {
  const { all } = readParameters(inputSchema);
  return all.some((one) => one.key === key && SAYS_DELETE.test(one.description));
}

function toFlag(verbs: string): RegExp {
  return new RegExp(`^(?:${verbs})${ALL}$`);
}

function toList(verbs: string): RegExp {
  return new RegExp(`^(?:(?:${verbs})(?:_\\w+)?|(?:\\w+_)?to_(?:be_)?(?:${verbs}))$`);
}

function isOn(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(?:true|yes|on|1|y|t|all)\s*$/i.test(value);
  return value === true || value === 1;
}

function isOff(value: unknown): boolean {
  if (typeof value === 'string') return /^\s*(?:false|no|off|0|n|f)\s*$/i.test(value);
  return value === false || value === 0;
}

export function isSet(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '' && !isOff(value);
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return value === true || (typeof value === 'number' && value !== 0);
}
