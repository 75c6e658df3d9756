/** An id and words for people: what gives access or costs money is only called something else. */
import { OF_PEOPLE } from './nouns.ts';
import type { NamedTool } from './read-mild-object.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toSingular, toWords } from './to-words.ts';

export function readRenamed(tool: NamedTool, told: Signal): Signal | undefined {
  if (renames(tool, told)) return RENAMES;
  return namesRole(tool, told) ? NAMED_ROLE : undefined;
}

/** `update_key {id, name}`: an id and words for people. */
function renames(
  { name, description, parameters: { all } }: NamedTool,
  { act, reason }: Signal,
): boolean {
  if (reason.code !== 'object' || (act !== 'share' && act !== 'spend')) return false;
  if (GIVES.test(description)) return false;
  const [verb = '', ...nouns] = toWords(name).slice(toWords(name).findIndex(isUpdate));
  const head = toSingular(nouns.at(-1) ?? '');
  if (!isUpdate(verb) || !CALLED.has(head) || nouns.some(isOfPerson)) return false;
  const keys = all.map(({ key }) => key);
  // `update_role {user_id}`: that user gets another one.
  if (act === 'share' && keys.some((key) => OF_PERSON.test(key))) return false;
  const isOwnId = (key: string): boolean => OWN_ID.test(key) || ID_OF.exec(key)?.[1] === head;
  // `update_plan {account, plan_id}`: the account gets another one.
  const isPlace = (key: string): boolean => act === 'share' && ID.test(key);
  const isOwn = (key: string): boolean => isOwnText(key, head, nouns.length === 1, keys);
  return (
    keys.some(isOwn) &&
    keys.some(isOwnId) &&
    keys.every((key) => isOwn(key) || isOwnId(key) || isPlace(key))
  );
}
/** Somebody gets it by the same call. */
const GIVES =
  /\b(?:assigns|grants|gives|shares|attaches|switches|(?:and|then) (?:assign|grant|give|share|attach|switch)|to (?:all|every|each) )\b/i;
const OWN_ID = /^(?:id|sid|uuid|slug|arn|unique_name)$/;
const ID_OF = /^(?:\w+_)?([a-z]+)_(?:id|sid|uuid|slug|arn)$/;
const isUpdate = (word: string): boolean => UPDATES.has(word);
const isOfPerson = (word: string): boolean => OF_PEOPLE.has(toSingular(word)) && word !== 'role';
/** What has a name of its own, by which it does nothing. */
const CALLED = new Set(
  `key apikey token webhook role certificate tunnel firewall securitygroup secret credential subscription campaign
  ad adset plan budget`.split(/\s+/),
);

/** `plan_name` beside `subscription_id` chooses another plan; beside `plan_id`, it is what that one is called. */
function isOwnText(key: string, head: string, isAlone: boolean, keys: readonly string[]): boolean {
  const [, of = ''] = SAID.exec(key) ?? [];
  if (!SAID.test(key)) return false;
  if (of === '' || OWN.has(of)) return true;
  const isOf = (one: string): boolean => one === `${of}_id` || one === `${of}_uuid`;
  return head === of && keys.some((one) => isOf(one) || (isAlone && one === 'id'));
}

/** `create_role {realm, name}`: nobody has it yet, and it allows nothing. */
function namesRole(
  { name, description, parameters: { all } }: NamedTool,
  { act, verb }: Signal,
): boolean {
  if (GIVES.test(description)) return false;
  const words = toWords(name);
  if (act !== 'share' || !MAKES.has(verb ?? '') || words.some(isOfPerson)) return false;
  if (toSingular(words.at(-1) ?? '') !== 'role') return false;
  return (
    all.some(({ key }) => SAID.test(key)) &&
    all.every(({ key }) => (ID.test(key) || ROLE_TEXT.test(key)) && !OF_PERSON.test(key))
  );
}
const MAKES = new Set(['create', 'new', 'make']);
const ROLE_TEXT = /^(?:role_|display_)?(?:name|title|description|label)$/;
const NAMED_ROLE: Signal = signal('create', 0.8, {
  code: 'parameter',
  source: 'schema',
  text: 'it makes a role by its name, and gives it to nobody',
});

const UPDATES = new Set('update edit modify rename patch'.split(' '));
const ID =
  /(?:^|_)(?:id|sid|uuid|slug|arn|account|organization|org|team|project|workspace|realm|environment|tenant|namespace|unique_name)$/;
const SAID = /^(?:(\w+)_)?(?:name|title|description|label|color|colour|emoji|icon|note)$/;
const OWN = new Set('new display friendly short full long custom'.split(' '));
const OF_PERSON =
  /^(?:\w+_)?(?:user|member|person|people|employee|principal|grantee|group)_(?:id|sid|uuid|slug|arn)$/;
const RENAMES: Signal = signal('update', 0.8, {
  code: 'parameter',
  source: 'schema',
  text: 'it takes an id and a name, so that it renames',
});
