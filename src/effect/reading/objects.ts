/** The nouns that turn an ordinary verb into another act: creating a payment is a spend. */
import type { Act } from '../act.ts';

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** Money, and what is billed as long as it is there. */
const MONEY = words(`payment charge order purchase transfer payout subscription checkout transaction
  trade swap bet bid donation withdrawal deposit refund fund money crypto eth sol btc usdc
  erc20 prediction training finetune finetuning campaign adset ad budget booking
  reservation escrow loan position stake giftcard billing seat topup liquidity
  ride`);

const BILLED = words(`instance droplet vm machine cluster nodepool gpu ec2 rds server hosting
  loadbalancer volume balancer vps`);

/** What lets others in, or takes content to them. */
const ACCESS =
  words(`link public visibility paste pastebin release presigned signed shareable invite
  invitation token key secret credential webhook share access
  permission collaborator message tweet email sms notification announcement gist post role grant
  send call broadcast newsletter sharing acl attendee guest recipient member membership whatsapp`);

/** What is told by a name and taken off as lightly as it is put on. */
const LIGHT = words('label tag star reaction bookmark favorite favourite highlight like assignee');

/** What is run as it stands. */
const CODE = words(`sql command shell script code bash terminal python javascript js powershell cmd
  statement applescript console process kubectl repl psql cli osascript notebook cell`);

/** Changes that are worked out elsewhere and overwrite when they are applied. */
const PLANS = words('migration manifest terraform plan patch diff edit change yaml ddl');

/** Work that vendors bill by the piece. */
const MEDIA = words('image video music song speech audio voice avatar picture sound');

const MAKES =
  words(`create add make new place submit send execute process update confirm approve open
  start initiate schedule perform generate set issue put edit modify launch run accept change deploy
  upsert post sign capture restore complete register batch append patch insert reply push
  produce enqueue enable attach allow trigger assign upload change request`);

/** The act that this verb means with one of these nouns, if it is another than its own. */
export function actWithObject(verb: string, nouns: readonly string[]): Act | undefined {
  const has = (set: ReadonlySet<string>): boolean => nouns.some((noun) => set.has(noun));
  if (verb === 'remove' && has(LIGHT)) return 'update';
  if (RUNS.has(verb) && has(CODE)) return 'delete';
  if (verb === 'apply' && has(PLANS)) return 'delete';
  if (has(BINS) && MOVES.has(verb)) return 'delete';
  if (verb === 'push' && nouns.includes('force')) return 'delete';
  if (EXECUTES.has(verb) && !has(MONEY) && !has(INQUIRIES)) return 'delete';
  if (SWITCHES.has(verb) && nouns.includes('plan')) return 'spend';
  if (CALLS.has(verb) && nouns.includes('contract')) return 'spend';
  if (ADMITS.has(verb) && nouns.includes('user') && has(TEAMS)) return 'share';
  if (verb === 'merge' && !has(CELLS)) return 'delete';
  if (verb === 'register' && nouns.includes('domain')) return 'spend';
  if ((verb === 'generate' || verb === 'synthesize') && has(MEDIA)) return 'spend';
  if (GRANTS.has(verb) && has(ENTRANTS)) return 'share';
  if (TRIGGERS.has(verb) && has(JOBS)) return 'spend';
  if (verb === 'close' && has(HOLDINGS)) return 'cancel';
  if (verb === 'checkout' && has(REVISIONS)) return 'update';
  if (verb === 'resolve' && has(LOOKED_UP)) return 'read';
  if ((verb === 'unlock' || verb === 'open') && has(DOORS)) return 'share';
  if (FETCHES.has(verb) && has(SHARED) && LINKS.has(nouns.at(-1) ?? '')) return 'share';
  if (verb === 'deploy' && has(SITES)) return 'share';
  if ((verb === 'scale' || verb === 'resize') && has(BILLED)) return 'spend';
  if (verb === 'upload' && has(MEDIA)) return 'share';
  if (MADE.has(verb) && has(FILMS)) return 'spend';
  if (verb === 'attach' && nouns.includes('policy')) return 'share';
  if (!MAKES.has(verb)) return undefined;
  if (has(MONEY)) return nouns.includes('refund') ? 'refund' : 'spend';
  if (STARTS.has(verb) && has(BILLED)) return 'spend';
  if (verb === 'draft' || nouns.includes('draft')) return undefined;
  return has(ACCESS) ? 'share' : undefined;
}

const RUNS = words('run execute exec eval evaluate perform invoke write send start create');
const TRIGGERS = words('run execute trigger invoke launch');
const STARTS = words('create launch run deploy start add');
const GRANTS = words('approve confirm accept allow authorize authorise');
const ENTRANTS = words('device access member user login invitation membership collaborator app');
/** Work that others defined: it may be billed, and may do anything. */
const JOBS =
  words(`actor job workflow agent pipeline task monitor model automation flow scenario playbook
  inference workload routine macro recipe`);
const HOLDINGS = words('account position');
const REVISIONS = words('git branch commit ref tag revision svn');
const LOOKED_UP = words(
  'id library name address dns domain url ens path handle did package symbol',
);
const DOORS = words('door garage gate car vehicle');
const FETCHES = words('get fetch retrieve obtain');
const SHARED = words('share sharing shared shareable presigned signed invite public');
const LINKS = words('link url');
const BINS = words('trash bin recyclebin');
const MOVES = words('move put send');
const EXECUTES = words('execute exec');
const INQUIRIES = words(
  'query search report test plan audit check analysis read lookup job workflow',
);
const SWITCHES = words('change switch subscribe set update');
const CALLS = words('write call deploy interact invoke');
const ADMITS = words('add assign put');
const TEAMS = words('group team channel project org organization role workspace');
const MADE = words('create make produce');
const FILMS = words('video music song speech');
const SITES = words('site website page');
const CELLS = words('cell table row column');
