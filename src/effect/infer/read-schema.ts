/**
 * What the parameters of a tool that is not a plain read reveal about its effect: money, recipients,
 * code, places.
 */
import type { Act } from '../act.ts';
import { TIERS } from '../tier.ts';
import { PLAIN } from './find-lead.ts';
import { VERBS } from './lexicon.ts';
import type { Parameter, Parameters } from './read-parameters.ts';
import { storesRequest } from './read-choices.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toSingular, toWords } from './to-words.ts';

/** Parameters that are executed as given. */
export const CODE: RegExp =
  /(?:^|_)(?:sql|sql_statements?|sql_query|commands?|cmd|script|bash|shell|statements?|command_line|python_code|js_code)$/;
const SOFT_CODE =
  /(?<!filter|cron|condition)(?:^|_)(?:code|javascript|expression|function|query|cypher|args|snippet)$/;
const CODE_SAID =
  /\b(?:sql (?:quer|statement|command)\w*|shell commands?|(?:javascript|python|bash|js) (?:code|script|expression|function)\w*) (?:to|that)\b.{0,30}\b(?:run|execut|evaluat)|\b(?:commands?|code|scripts?) to (?:run|execute)\b/i;
/** A code that stands for something. */
const NO_PROGRAM =
  /\b(?:project|country|currency|language|discount|coupon|promo|product|item|account|status|error|postal|zip|area|verification|authorization|confirmation|tracking) code\b/i;
const TARGETS =
  /^(?:path|file_path|filepath|filename|file_name|file|uri|target_file|destination|output_path)$/;
const CONTENTS =
  /^(?:patch|diff|replace|replacement|new_content|contents?|text|edits|new_string|new_str|data|new_text|body|markdown)$/;
const KEPT = ['branch', 'commit_message', 'sha', 'message', 'repo'];

/** Names of what only a payment, or what is billed, takes. */
export const SPENDS: RegExp =
  /^(?:confirm_cost_id|hardware|instance_(?:type|size|class)|max_instances|machine_type|max_price|payment_method(?:_id)?|card_number|credit_card|amount_(?:usd|eth|sol|in)|gas_(?:limit|price)|slippage\w*|(?:droplet|node|vm|dyno)_size|(?:daily|lifetime|total)_budget|budget_amount|max_credits|bid_amount|private_key|stake_amount|leverage|limit_price|stop_price)$/;

interface Indicator {
  readonly act: Act;
  readonly pattern: RegExp;
  /** It means nothing inside another parameter. */
  readonly onlyTop?: boolean;
  /** It counts only where any text can be given. */
  readonly isFree?: boolean;
  /** Another parameter that must also be present. */
  readonly beside?: RegExp;
}

const INDICATORS: readonly Indicator[] = [
  {
    act: 'spend',
    pattern: SPENDS,
  },
  {
    act: 'spend',
    pattern: /^amount$/,
    beside:
      /^(?:to|currency|recipient|destination|to_address|token|asset|\w*symbol|from_account|frequency)$/,
  },
  {
    act: 'spend',
    pattern: /^(?:quantity|qty|size|amount)$/,
    beside: /^(?:\w*symbol|ticker|side|market|pair|instrument)$/,
  },
  {
    act: 'deliver',
    pattern:
      /^(?:recipients?|to_emails?|bcc|cc|phone_number|to_number|to_phone\w*|share_with|emails?_to|recipient_\w+|to_user\w*|audience_id|mailing_list)$/,
  },
  {
    act: 'deliver',
    pattern:
      /^(?:channels?|channel_(?:id|name)|chat_id|conversation_id|thread_(?:id|ts)|to|jid|room_id|peer|group_jid|space_name)$/,
    beside:
      /^(?:text|message|body|subject|file_path|media_\w+|photo|document|blocks|html|caption|message_text)$/,
  },
  {
    act: 'delete',
    pattern: /^(?:method|http_method)$/,
    onlyTop: true,
    beside: /^(?:url|endpoint|path|uri)$/,
  },
  // Whatever the service offers can be called through it.
  {
    act: 'delete',
    pattern: /^(?:operation|api_method|api_call|action_name|rpc|method_name)$/,
    onlyTop: true,
    isFree: true,
    beside: /^(?:service|service_name|api|endpoint|path|params|parameters|request|body|payload)$/,
  },
  { act: 'delete', pattern: /^(?:manifest|yaml|migration|ddl)$/ },
  { act: 'share', pattern: /^(?:push|stream|target|forward|delivery)_(?:url|uri|endpoint)$/ },
  { act: 'share', pattern: /^destination$/, beside: /^(?:\w+_)?events?$/ },
  { act: 'share', pattern: /^(?:webhook_url|callback_url|notification_url|webhook)$/ },
  { act: 'share', pattern: /^(?:make_public|expose\w*|(?:pubsub_)?topic_name)$/ },
  { act: 'share', pattern: /(?:^|_)(?:permission|acl|grantee|principal)s?(?:_(?:id|arn|list))?$/ },
  {
    act: 'share',
    pattern:
      /^(?!(?:caller|actor|requester|current|my)_)(?:permissions?|(?:\w+_)?roles?(?:_(?:names?|ids?))?|grants?|scopes|privileges|access_level)$/,
    beside:
      /^(?:user\w*|email|member\w*|principal|grantee|group\w*|password|service_account\w*|identity\w*)$/,
  },
];

function runsCode({ all }: Parameters, softly: boolean): boolean {
  return all.some(
    ({ key, description }) =>
      CODE.test(key) ||
      (softly && SOFT_CODE.test(key) && !NO_PROGRAM.test(description)) ||
      CODE_SAID.test(description),
  );
}

/** Whether something is passed that may be run, whatever the tool is called. A query may be a search. */
export function takesCode({ all }: Parameters): boolean {
  const others = all.filter(({ key }) => !key.endsWith('query'));
  return runsCode({ all: others, names: NO_NAMES }, true);
}
const NO_NAMES: ReadonlySet<string> = new Set();

/** A location and its whole content, without a version that preserves the old content. */
export function replacesContent({ all, names }: Parameters, isFile: boolean): boolean {
  if (KEPT.some((name) => names.has(name))) return false;
  if (isFile) return true;
  const leaves = leavesOf(all);
  return has(leaves, TARGETS) && has(leaves, CONTENTS);
}

/** Without `path: {…}` and `body: {…}`, which group the parameters of a request. */
function leavesOf(all: readonly Parameter[]): readonly Parameter[] {
  const groups = new Set(all.flatMap(({ top, within }) => (top ? [] : within)));
  return groups.size === 0 ? all : all.filter(({ top, name }) => !top || !groups.has(name));
}

/** What must be given takes the place of all that is there. */
export function replacesAll({ all }: Parameters): boolean {
  return all.some(
    ({ required, top, description }) => required && top && REPLACES.test(description),
  );
}
const REPLACES =
  /\b(?:replac|overwrit)(?:es?|ing) (?:(?:all|any) )?(?:(?:the|of the) )?(?:existing|entire|whole|current|previous|all)\b/i;

/** Names of places that are written to. */
const OUTPUT =
  /^(?:output_?(?:path|file|file_?path|file_?name|dir|directory|folder)|save_?(?:path|to|as|to_(?:file|path|disk)|dir|directory|location)|download_?(?:path|dir|directory|to|folder)|(?:request|response|result|screenshot|snapshot|body)_(?:file|path|file_?path|file_?name)|destination_(?:path|file|folder)|dest_path|target_path|local_(?:path|file|file_?path|dir|directory)|write_to|export_path)$/;
/** Names that only say that it is a file; the description must say that it is written. */
const PLACE =
  /^(?:path|file|file_?path|filename|file_?name|directory|folder|dest|destination|location)$/;
const WRITES =
  /\b(?:sav(?:e|ed|es|ing)|writ(?:e|es|ten|ing)|stor(?:e|ed|es|ing)|dump(?:ed|s)?|download(?:ed|s)? to|output (?:file|path)|export(?:ed|s)? to)\b/i;
const READS =
  /\b(?:to (?:read|load|open|import|parse|analy[sz]e|upload)|read from|previously saved|existing file|was (?:saved|written|stored)|is stored|are stored|has been)\b/i;

/** The argument that names a file which is written. */
export function findOutput({ all }: Pick<Parameters, 'all'>): Parameter | undefined {
  return all.find(
    ({ key, description, top }) =>
      top &&
      !READS.test(description) &&
      (OUTPUT.test(key) || (PLACE.test(key) && WRITES.test(description))),
  );
}

/** A read that leaves a file behind. */
export function readOutput(parameters: Parameters): readonly Signal[] {
  const place = findOutput(parameters);
  if (place === undefined) return [];
  const text = `"${place.name.slice(0, 40)}" names a file that it writes`;
  return [signal('create', 0.6, { code: 'writes-file', source: 'schema', text })];
}

export function readSchema({ all: given }: Parameters, name: string): readonly Signal[] {
  const all = given.filter(
    ({ key, top, within }) =>
      (top || !SOUGHT.test(within)) &&
      !(key.endsWith('method') && storesRequest(name)) &&
      !(key === 'phone_number' && keepsContact(name)),
  );
  const simple = new Set(leavesOf(all));
  const leaves = [...simple].filter(({ values }) => values.length === 0);
  return INDICATORS.flatMap(
    ({ act, pattern, beside, onlyTop = false, isFree = false }): Signal[] => {
      const found = all.find(
        (one) =>
          (one.top || !onlyTop) &&
          (!isFree || (one.values.length === 0 && simple.has(one))) &&
          pattern.test(one.key),
      );
      if (
        found === undefined ||
        (beside !== undefined && !has(act === 'deliver' ? leaves : all, beside))
      )
        return [];
      const text = `it takes "${found.name.slice(0, 40)}", which indicates ${act}`;
      return [signal(act, 0.6, { code: 'parameter', source: 'schema', text })];
    },
  );
}

/** `update_contact {phone_number}`: nobody is called. */
function keepsContact(name: string): boolean {
  const parts = toWords(name);
  return PLAIN.has(parts[0] ?? '') && CONTACTS.has(toSingular(parts.at(-1) ?? ''));
}
const CONTACTS = words('contact customer lead person employee profile company vendor supplier');

/** `criteria: {to}`: what is looked for, not what is done. */
const SOUGHT = /^(?:criteria|filters?|quer(?:y|ies)|match|conditions?|where|search|selectors?)$/i;

/** Takes a plan, a size or a region, by which it is billed. */
export function choosesPlan({ all }: Parameters): boolean {
  return has(
    // Further inside it is the size of a part, such as a pool or a page.
    all.filter(({ depth }) => depth <= 1),
    /^(?:plan|tier|sku|size|region|primary_region|service_and_plan|cpu|memory|disk|replicas|num_nodes|billing_\w+)$/,
  );
}

function has(all: readonly Parameter[], pattern: RegExp): boolean {
  return all.some(({ key }) => pattern.test(key));
}

/** Detects a tool that runs its input: code, SQL or a shell command can do whatever the process may. */
interface Text {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters;
}

const RUNNERS = words('run execute exec eval evaluate invoke script shell graphql');
const ASKERS = words('query sql statement cypher');
/** Names that promise to inspect code and not to run it. */
const LOOKS = words(
  `dry read readonly select explain validate format lint parse analyze check repair convert translate optimize
  suggest to`,
);
/** Queries of these return observations, not stored state. */
const WATCHED = words(
  'log logs metric metrics trace traces event events doc docs analytics insights',
);
const DATABASE =
  /\b(?:sql|database|cypher|ddl|dml|insert|postgres\w*|sqlite|table|graphql|mutation)\b/i;
const FIRM = 0.7;

export function readCode(
  { name, description, parameters }: Text,
  named: Signal | undefined,
): Signal | undefined {
  const parts = toWords(name);
  if (parts.some((word) => LOOKS.has(word))) return undefined;
  // `create_query_snippet`: a query is what is made.
  const makes = PLAIN.has(named?.verb ?? '');
  const open =
    parts.some((word) => RUNNERS.has(word)) ||
    (!makes &&
      parts.some((word) => ASKERS.has(word)) &&
      !parts.some((word) => isFirmRead(word) || WATCHED.has(word)));
  const looks = named !== undefined && TIERS[named.tier].readsOnly && named.weight >= FIRM;
  if (looks && !open) return undefined;
  const graph =
    parameters.names.has('query') && parameters.names.has('variables') && !storesRequest(name);
  const asks = parameters.names.has('query');
  const query = open && asks && DATABASE.test(`${parts.join(' ')} ${description}`);
  // `create_collection {items: [{script}]}`: what is inside of what is stored does not run now.
  const stores = !open && makes;
  const given = stores
    ? { ...parameters, all: parameters.all.filter(({ top, key }) => top && !LATER.test(key)) }
    : parameters;
  if (!query && !graph && !runsCode(given, open && !asks)) return undefined;
  const text = 'it takes code, SQL or a command, and runs it as given';
  return signal('delete', 0.8, { code: 'runs-code', source: 'schema', text });
}

/** `update_service {start_command}`: run by the service when it comes to that. A shell is a program to prefer. */
const LATER =
  /^(?:shell|login_shell|default_shell)$|^(?:start|build|install|deploy|release|test|dev|pre\w*|post\w*|entry\w*|health\w*|init)_(?:command|script|cmd)$/;

function isFirmRead(word: string): boolean {
  const verb = VERBS.get(word);
  return verb?.firm === true && verb.act === 'read';
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
