/**
 * What parameters show to be only written down or drawn, where the name alone would ask: an event that is counted,
 * a call that was made, a picture that is placed.
 */
import { MEDIA } from './nouns.ts';
import type { NamedTool } from './read-mild-object.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { goesOut, movesMoney } from './says-more.ts';
import { toSingular, toWords } from './to-words.ts';

export function readRecorded(tool: NamedTool, told: Signal): Signal | undefined {
  if (prepares(tool, told)) return PREPARED;
  if (countsEvent(tool, told)) return COUNTED;
  if (logsContact(tool, told)) return LOGGED;
  if (opensConversation(tool, told)) return OPENED;
  return placesPicture(tool, told) ? PLACED : undefined;
}

/** `create_broadcast` beside `send_broadcast`: it goes out by the other, unless this one lets it out at once. */
function prepares(
  { name, description, isPrepared = false, parameters: { names } }: NamedTool,
  { verb, reason }: Signal,
): boolean {
  if (!isPrepared || reason.code !== 'object' || !MAKES.has(verb ?? '')) return false;
  if (!LET_OUT.has(toSingular(toWords(name).at(-1) ?? ''))) return false;
  if (goesOut(description) || movesMoney(description)) return false;
  return ![...names].some((key) => AT_ONCE.test(key));
}
const LET_OUT = new Set('broadcast campaign newsletter mailing release post'.split(' '));
/** It lets out, or says when or for how much. */
const AT_ONCE =
  /^(?:is_|auto_)?(?:send|sent|publish(?:ed)?|live|draft|immediate(?:ly)?|active|activate|launch|start|schedule[ds]?)(?:_\w+)?$|(?:^|_)(?:status|state|visibility|budget|bids?|spend)(?:_\w+)?$/;
const PREPARED: Signal = signal('create', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it makes what another tool of the server lets out',
});

/** `send_purchase {client_id, user_properties}`: told to a service that counts visits, and to nobody else. */
function countsEvent(
  { name, description, parameters: { names } }: NamedTool,
  told: Signal,
): boolean {
  if (!REPORTS.has(told.verb ?? '') || movesMoney(description) || REACHING.test(description))
    return false;
  const words = toWords(name).map(toSingular).join('_');
  if (!EVENTS.test(words) || (told.verb !== 'send' && BOUGHT.test(words))) return false;
  const keys = [...names];
  return keys.some((key) => VISITOR.test(key)) && !keys.some((key) => REACHES.test(key));
}
const REPORTS = new Set('send submit push'.split(' '));
/** What a visitor did. */
const EVENTS =
  /_(?:event|purchase|refund|view|pageview|hit|conversion|signup|login|click|impression|add_to_cart|remove_from_cart|begin_checkout|view_item|view_cart)$/;
/** Who submits a purchase buys. */
const BOUGHT = /_(?:purchase|refund|checkout)$/;
const VISITOR = /^(?:user_properties|event_properties|distinct_id|anonymous_id|measurement_id)$/;
const REACHES =
  /^(?:to|to_\w+|cc|bcc|recipients?(?:_\w+)?|(?:\w+_)?(?:emails?|phone|phone_number|message|subject|body|(?<!page_)title|content|text|html|address|amount|webhook|callback_url)|template_id|campaign_id|channels?|payment_\w+|card_\w+|iban|destination\w*)$/;
const REACHING = /\b(?:messages?|notif\w+|emails?|sms|invit\w+|recipients?)\b/i;
const COUNTED: Signal = signal('append', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it takes what is counted of a visitor, and nobody to reach',
});

/** `create_call {outcome}`: known only after it was made. */
function logsContact(
  { name, description, parameters: { names } }: NamedTool,
  { verb }: Signal,
): boolean {
  if (goesOut(description)) return false;
  if (!MAKES.has(verb ?? '') || !CONTACTS.has(toSingular(toWords(name).at(-1) ?? ''))) return false;
  const keys = [...names];
  return keys.some((key) => AFTERWARDS.test(key)) && !keys.some((key) => REACHED.test(key));
}
const MAKES = new Set(['create', 'add', 'new']);
const CONTACTS = new Set(['call', 'email']);
/** A duration may be a planned one. */
const AFTERWARDS = /(?:^|_)(?:disposition|outcome|call_direction|email_direction)$/;
const REACHED =
  /^(?:to|from|participants?|attendees?|callee|cc|bcc|to_\w+|recipients?(?:_\w+)?|(?:\w+_)?(?:phone|number|sip|url|agent|assistant|script|voice)(?:_\w+)?)$/;
const LOGGED: Signal = signal('create', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it takes how a call or a mail went, and nobody to reach',
});

/** `create_dm {user_id}`: nothing is said yet. */
function opensConversation(
  { name, parameters: { all, names } }: NamedTool,
  { verb }: Signal,
): boolean {
  const words = toWords(name);
  if (verb !== 'dm' || words.at(-1) !== 'dm' || !OPENS.has(words.at(-2) ?? '')) return false;
  return names.size > 0 && all.every(({ key }) => /(?:^|_)(?:ids?|users?|usernames?)$/.test(key));
}
const OPENS = new Set(['create', 'open', 'start']);
const OPENED: Signal = signal('create', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it opens a conversation, and takes nothing to say',
});

/** `create_image {left, top, data}`: drawn at a place, where a model would be given a prompt. */
function placesPicture(
  { name, parameters: { names } }: NamedTool,
  { act, verb, reason }: Signal,
): boolean {
  if (act !== 'spend' || reason.code !== 'object' || !MAKES.has(verb ?? '')) return false;
  if (!toWords(name).some((word) => MEDIA.has(toSingular(word)))) return false;
  const isPlaced = PLACES.some((pair) => pair.every((key) => names.has(key)));
  return isPlaced && ![...names].some((key) => PROMPTED.test(key));
}
const PLACES = [
  ['x', 'y'],
  ['left', 'top'],
  ['pos_x', 'pos_y'],
];
const PROMPTED = /(?:^|_)(?:prompts?|model|seed|steps|text|description|script|quality)$/;
const PLACED: Signal = signal('create', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it draws what it is given at a place',
});
