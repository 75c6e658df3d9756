/**
 * The rules by which a verb means another act with certain objects: creating a payment is a spend. The
 * first that matches counts; `act-with-object.ts` matches them.
 */
import type { Act } from '../act.ts';
import { TIERS } from '../tier.ts';
import * as n from './nouns.ts';
import { usualTier } from './reason.ts';

export interface ObjectRule {
  readonly act: Act;
  readonly verbs: n.Words;
  /** One of these accompanies the verb. */
  readonly nouns?: n.Words;
  /** It is the object itself, and not a word about another object: a message, not a message template. */
  readonly isHead?: boolean;
  /** And one of these. */
  readonly also?: n.Words;
  /** And none of these. */
  readonly without?: n.Words;
  /** The last noun is one of these. */
  readonly last?: n.Words;
  /** It asks for nobody. */
  readonly isMild: boolean;
}

type More = Omit<ObjectRule, 'act' | 'verbs' | 'nouns' | 'isMild'>;

function rule(act: Act, verbs: string, nouns?: n.Words | string, more: More = {}): ObjectRule {
  const set = typeof nouns === 'string' ? n.words(nouns) : nouns;
  const isMild = !TIERS[usualTier(act)].asks;
  return { act, verbs: n.words(verbs), isMild, ...(set !== undefined && { nouns: set }), ...more };
}

const FIRST: readonly ObjectRule[] = [
  rule('spend', 'complete submit confirm finalize', 'order'),
  rule('create', 'post add create make submit write leave', 'comment', { without: n.SOCIAL }),
  rule('update', 'update edit modify set patch', 'subscription', {
    also: n.words('topic notification event webhook newsletter mailing email preference'),
  }),
  rule(
    'cancel',
    'withdraw',
    'offer application request listing submission proposal consent candidate',
  ),
  rule('spend', 'amend', 'order'),
  rule('update', 'alter', 'column field', { also: n.words('add') }),
  rule('create', 'post', n.ENTRIES, { without: n.SOCIAL }),
  rule('create', 'open start launch', 'editor viewer designer'),
  rule('create', 'create add make new save store update edit modify compose prepare', 'draft'),
  rule('update', 'remove unset detach', n.LIGHT),
  rule('update', 'remove', 'member assignee', { also: n.words('card issue task story ticket') }),
  rule('update', 'remove take move', 'trash bin', { also: n.words('from') }),
  // What is taken out of a collection can be put back, and still exists.
  rule('update', 'remove take', n.COLLECTIONS, { also: n.words('from'), without: n.OF_PEOPLE }),
  rule('update', 'swap wrap unwrap claim unclaim bridge harvest', n.HANDLED),
  rule('update', 'sign', 'off'),
  rule('update', 'suspend bury', 'card note deck', { without: n.MONEY_CARDS }),
  rule('update', 'power turn switch', 'on'),
  rule('update', 'reset', n.VIEWS),
  rule('update', 'clear empty reset invalidate refresh', 'cache', {
    without: n.words('cdn edge zone'),
  }),
  rule('update', 'clear', 'presence status selection filter search highlight breakpoint focus'),
  rule('cancel', 'release', 'number address ip phone device lock lease resource seat slot hold'),
  rule('delete', 'import', 'db database dump', { without: n.words('csv row record') }),
  rule('spend', 'finalize', 'invoice order payment purchase'),
  rule('archive', 'send move put', 'archive'),
  rule('update', 'analyze analyse', 'table index'),
  rule('read', 'open', 'node entity'),
  rule('spend', 'create start place', 'sip', {
    also: n.words('fund mutual investment scheme folio'),
  }),
  rule('create', 'send batch', 'sandbox'),
  rule('create', 'push', 'file', { without: n.words('force device phone') }),
  rule('create', 'start begin commit open', 'transaction', {
    without: n.words('payment bank swap'),
  }),
  rule('update', 'stop end halt finish close', n.OBSERVATION),
  rule('delete', 'make send perform execute issue call invoke', 'request call', {
    also: n.words('api http graphql'),
    without: n.words('get head'),
  }),
  rule('update', 'rotate', n.SCREENS),
  rule('delete', 'write', 'sql cypher statement command apex cell range'),
  rule('delete', 'run execute exec eval evaluate perform invoke send start', n.CODE, {
    without: new Set([...n.READ_ONLY, ...n.words('session generation codegen')]),
  }),
  rule('delete', 'interact write send type input feed', n.PROMPTS),
  rule('delete', 'apply', new Set([...n.PLANS, ...n.words('run kubectl schema config')])),
  rule('delete', 'complete finish commit', 'migration'),
  rule('delete', 'move put send', n.BINS),
  rule('delete', 'push update', 'force'),
  rule('delete', 'alter', 'table schema column view database'),
  rule('delete', 'restore recover', n.SAVED),
  rule('delete', 'execute exec', undefined, {
    without: new Set([...n.MONEY, ...n.INQUIRIES, ...n.READ_ONLY]),
  }),
  rule('spend', 'change switch subscribe set update', 'plan'),
  rule('spend', 'write call deploy interact invoke execute', 'contract'),
  rule('share', 'add assign put', 'user people', { also: n.TEAMS }),
  rule('share', 'create add', 'user account', { also: n.KEPT_BY_ADMINS }),
  rule('share', 'promote', n.PEOPLE),
  rule('share', 'promote rollout', n.STAGES),
  rule('share', 'sync', 'application app deployment cluster production'),
  rule('delete', 'update', 'code', { also: n.words('function lambda worker') }),
  rule('share', 'report', n.COMPLAINTS),
  rule('delete', 'merge', undefined, { without: n.CELLS }),
  rule('spend', 'register', 'domain'),
  rule('share', 'provision', 'user account access member credential key token'),
  rule('spend', 'provision', new Set([...n.BILLED, ...n.HOSTED, ...n.RESOURCES])),
  rule('spend', 'generate synthesize edit animate extend remix clone render', n.MEDIA),
  rule('share', 'approve confirm accept allow authorize authorise', n.ENTRANTS),
  rule('spend', 'run execute trigger invoke launch start rerun retry replay requeue call', n.JOBS),
  rule('spend', 'assign', 'copilot'),
  rule('cancel', 'close', n.HOLDINGS),
  rule('update', 'checkout', n.REVISIONS),
  rule('read', 'resolve', undefined, { without: n.SETTLED }),
  rule('share', 'unlock open start', n.DOORS),
  rule('share', 'get fetch retrieve obtain', n.SHARED, { last: n.LINKS }),
  rule(
    'spend',
    'scale autoscale',
    'up out node cluster instance nodepool nodegroup gpu vm machine server asg',
    {
      without: n.SCREENS,
    },
  ),
  rule('spend', 'resize', n.BILLED),
  rule('share', 'upload', 'video reel podcast episode', { isHead: true }),
  rule('share', 'upload', n.MEDIA, {
    also: n.words('instagram facebook linkedin twitter youtube reddit tiktok'),
  }),
  rule('spend', 'create make produce', n.FILMS, { without: n.PLACED }),
  rule('share', 'attach', 'policy'),
  // Everything at once cannot be looked through.
  rule('delete', 'archive accept reject mute resolve dismiss', 'all'),
  rule('deliver', 'quote', 'tweet post'),
  rule('deliver', 'place make', 'call'),
  rule('spend', 'create issue order', 'card', {
    also: n.words('virtual debit credit gift prepaid physical'),
    without: n.KEPT,
  }),
  rule('share', 'turn', 'public'),
  rule('share', 'open', 'port tunnel firewall'),
  rule('spend', 'subscribe', 'newsletter service product customer'),
  rule('share', 'get fetch retrieve reveal', undefined, {
    also: n.words('auth authorization transfer epp recovery backup'),
    last: n.words('code'),
  }),
];

/** Rules by domain, one per idiom. */
const DOMAINS: readonly ObjectRule[] = [
  rule('provision', 'sign', 'in out up'),
  rule('move', 'transfer', 'issue ticket task card page note conversation'),
  rule('delete', 'update upgrade install flash', 'firmware bios kernel os'),
  rule('delete', 'install', 'chart helm'),
  rule('delete', 'upload', 'sftp ftp scp'),
  rule('delete', 'patch', 'kubectl manifest'),
  rule('delete', 'format', 'disk drive volume partition usb'),
  rule('delete', 'run execute', 'migration rollback seed'),
  rule('revoke', 'set change update', 'password passcode mfa nameserver passphrase'),
  rule('spend', 'convert', new Set([...n.MONEY, 'balance', 'paid']), { isHead: true }),
  rule('update', 'convert', 'lead contact deal prospect quote draft trial'),
  rule('spend', 'approve authorize release', 'invoice bill expense reimbursement po claim loan'),
  rule('share', 'approve release', n.STAGES),
  rule('spend', 'accept', 'offer quote contract bid proposal agreement terms dispute return'),
  rule('spend', 'move add', 'money fund cash credit balance coin'),
  rule('spend', 'assign', 'license seat number'),
  rule('spend', 'create generate purchase', 'label', {
    also: n.words('shipping shipment postage parcel'),
  }),
  rule('spend', 'create provision order reserve', 'number', {
    also: n.words('phone toll sms virtual'),
  }),
  rule('spend', 'reveal unlock', 'contact email phone profile lead'),
  rule('share', 'start go', 'livestream stream live'),
  rule('deliver', 'replay redeliver retry resend', 'event webhook delivery message notification'),
  rule('share', 'create generate make open get', 'session', {
    also: n.words('portal checkout billing'),
  }),
  rule('deliver', 'apply', 'job vacancy position'),
  rule('deliver', 'add enroll enrol', 'prospect contact lead', {
    also: n.words('sequence cadence drip'),
  }),
  rule('revoke', 'set change update', 'status', { also: n.words('user member account employee') }),
  rule('deliver', 'write add create leave', 'review testimonial', {
    without: n.words('pullrequest pr code mergerequest pull'),
  }),
  rule('deliver', 'test', 'webhook alert notification email contactpoint'),
  rule('create', 'load', 'data csv bulk'),
  rule('share', 'unlock', 'domain account card phone safe device'),
  rule('deliver', 'connect', 'person people profile'),
  rule('deliver', 'set enable create update', 'autoreply responder autoresponder vacation'),
  rule('share', 'enable', 'funnel tunnel public sharing access remote ssh anonymous guest api'),
  rule('spend', 'vote', 'proposal'),
  rule('spend', 'increase raise set', 'limit budget bid allowance', {
    also: n.words('credit spend spending card bid daily token'),
  }),
  rule('spend', 'extend', 'stay booking subscription rental lease trial reservation'),
  rule('delete', 'revert', 'revision version snapshot backup'),
  rule('share', 'upload', 'story reel short'),
  rule('deliver', 'subscribe', 'profile contact email'),
  rule('revoke', 'unsubscribe', 'profile contact customer email'),
  rule('share', 'assign', 'application app role permission policy'),
  rule(
    'share',
    'issue',
    'certificate card token credential key license pass credit ticket invoice',
  ),
  rule('spend', 'resume unpause enable', 'ad ads campaign adset'),
  rule('delete', 'evaluate eval', 'expression'),
  rule('update', 'upgrade', 'package dependency library module plugin extension schema app'),
  rule('share', 'create add connect attach', 'domain hostname subdomain'),
  rule('delete', 'write store save', 'secret credential env'),
  rule('spend', 'create submit queue', undefined, { last: n.words('batch') }),
  rule('spend', 'create submit queue', 'run job execution inference invocation', {
    without: n.words('cron posting description listing'),
  }),
  rule('spend', 'generate', 'model 3d mesh texture'),
  rule('spend', 'clone', n.BILLED),
];

const MAKES = `create add make new place submit send execute process confirm approve open start initiate
  schedule perform generate issue put launch run accept deploy upsert post sign capture complete register
  batch append insert reply push produce enqueue enable attach allow authorize trigger assign upload request`;

/** They alter what is there: most of what is made once was asked about then. */
const ALTERS = 'update edit modify patch set change configure replace adjust';

const SAYS = `create add make new place submit send process confirm approve open start initiate schedule
  perform generate issue put launch run post push produce enqueue trigger batch reply request upsert upload`;

const MADE: readonly ObjectRule[] = [
  rule('refund', `${MAKES} ${ALTERS}`, 'refund', { isHead: true }),
  rule('share', 'create add register', 'webhook', { without: n.KEPT }),
  rule('share', `create add register ${ALTERS}`, 'destination sink endpoint receiver', {
    also: n.words('notification event webhook alert log export stream callback'),
  }),
  rule('spend', 'accept approve confirm complete process finalize settle', n.MONEY, {
    without: new Set([...n.KEPT, ...n.PLACED, ...n.BOOKS]),
  }),
  rule('spend', MAKES, n.MONEY, {
    isHead: true,
    without: new Set([...n.KEPT, ...n.PLACED, ...n.BOOKS]),
  }),
  rule('spend', `${MAKES} ${ALTERS}`, 'budget', { also: n.ADVERTISING }),
  rule('spend', ALTERS, n.MONEY_ALTERED, {
    isHead: true,
    without: new Set([...n.KEPT, ...n.PLACED, ...n.BOOKS]),
  }),
  rule('share', MAKES, n.ACCESS, { isHead: true, without: new Set([...n.KEPT, ...n.INNER]) }),
  rule('spend', 'create launch run deploy start add', n.BILLED, {
    isHead: true,
    without: n.words('component symbol material prefab class block widget state docker podman'),
  }),
  rule('share', ALTERS, n.ACCESS_ALTERED, {
    isHead: true,
    without: new Set([...n.KEPT, ...n.INNER]),
  }),
  rule('share', 'create generate make produce', 'link', { also: n.OUTBOUND }),
  rule('share', SAYS, n.MESSAGES, {
    isHead: true,
    without: new Set([...n.KEPT, ...n.LIGHT, ...n.words('address account domain')]),
  }),
];

/** Verbs that start or release something: unless it is known to be harmless, a person is asked. */
const OUTWARD: readonly ObjectRule[] = [
  rule('spend', 'run trigger invoke launch perform rerun', undefined, {
    without: n.HARMLESS,
  }),
  rule('delete', 'push', undefined, { without: n.HARMLESS }),
  rule('delete', 'apply', undefined, { last: n.words('') }),
  rule('share', 'activate', n.RELEASED),
  rule('deliver', 'request', undefined, {
    without: new Set([
      ...n.HARMLESS,
      ...n.words('review reviewer planning feedback time leave change'),
    ]),
  }),
];

export const OBJECT_RULES: readonly ObjectRule[] = [...FIRST, ...DOMAINS, ...MADE];
export const NAME_RULES: readonly ObjectRule[] = [...OBJECT_RULES, ...OUTWARD];
