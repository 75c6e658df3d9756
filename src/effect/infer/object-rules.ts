/**
 * The rules by which a verb means another act with certain objects: creating a payment is a spend. The
 * first that matches counts; `act-with-object.ts` matches them.
 */
import { DOMAIN_RULES } from './domain-rules.ts';
import * as n from './nouns.ts';
import { TAKEN_DOWN } from './outage-rules.ts';
import type { ObjectRule } from './object-rule.ts';
import { rule } from './object-rule.ts';

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
  rule(
    'create',
    'create add make new save store update edit modify compose prepare push',
    'draft',
    {
      isHead: true,
    },
  ),
  rule('update', 'send', 'heartbeat keepalive'),
  rule('update', 'renew', 'lease lock session'),
  rule('update', 'set change update toggle', 'visibility', { also: n.DISPLAYED }),
  // A card and an account have a pin of their own, and a customer a relationship.
  rule('delete', 'remove unset detach', 'pin', {
    isHead: true,
    also: n.words('card account sim door user'),
  }),
  rule('delete', 'remove unset detach', n.TIES, { isHead: true, also: n.OF_PEOPLE }),
  rule('update', 'remove unset detach', n.LIGHT, {
    isHead: true,
    // From whatever has one, for everybody.
    without: n.words('shared global everywhere'),
  }),
  rule('create', 'add', n.LIGHT, {
    isHead: true,
    without: n.words('shared global public follower'),
  }),
  rule('update', 'delete', 'assignee watcher reaction vote upvote', { isHead: true }),
  rule('update', 'remove', 'member assignee', { also: n.words('card issue task story ticket') }),
  rule('update', 'remove take move', 'trash bin', { also: n.words('from') }),
  // What is taken out of a collection can be put back, and still exists.
  rule('update', 'remove take', n.SELECTIONS, {
    also: n.words('from'),
    without: new Set([...n.OF_PEOPLE, ...n.HELD]),
  }),
  rule('update', 'remove take', 'tag label', { also: n.words('from'), without: n.HELD }),
  rule('update', 'remove take', n.STANDALONE, {
    isHead: true,
    also: n.words('from'),
    last: n.COLLECTIONS,
    without: new Set([...n.OF_PEOPLE, ...n.HELD]),
  }),
  ...TAKEN_DOWN,
  rule('update', 'swap wrap unwrap claim unclaim bridge harvest', n.HANDLED),
  rule('update', 'sign', 'off'),
  rule('update', 'cancel', undefined, { last: n.words('selection edit editing drag dialog') }),
  rule('move', 'order', 'task row column layer slide field section', { isHead: true }),
  rule('update', 'suspend bury', 'card note deck', { without: n.MONEY_CARDS }),
  rule('update', 'power turn switch', 'on'),
  rule('update', 'reset', n.VIEWS),
  rule('update', 'clear empty reset invalidate refresh', 'cache', {
    without: n.words('cdn edge zone data'),
  }),
  rule(
    'update',
    'clear',
    'presence status selection filter search highlight breakpoint focus console screen output overlay input formatting',
  ),
  rule('update', 'remove', 'filter formatting background', {
    isHead: true,
    without: new Set([
      ...n.OF_PEOPLE,
      ...n.words('all job task worker process service check email mail'),
    ]),
  }),
  rule('move', 'order', undefined, { last: n.words('by') }),
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
  rule('update', 'end', 'session turn', { isHead: true, without: n.PEOPLE }),
  rule('update', 'disconnect', undefined, { last: n.words('') }),
  rule('set', 'set', 'position', { without: n.words('leverage margin tp sl stop loss profit') }),
  rule(
    'create',
    'submit',
    'feedback answer thought plan result solution guess analysis hypothesis sitemap',
    {
      isHead: true,
      without: new Set([...n.SOCIAL, ...n.words('buyer seller')]),
    },
  ),
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
  rule('share', 'add assign put', 'user people person employee', { also: n.TEAMS }),
  // Whoever is added to an account, a tenant or an app can use it; to a list or a task, is only named there.
  rule('share', 'add', 'user people person employee', {
    also: n.words('to'),
    without: new Set([...n.INNER, ...n.COLLECTIONS]),
  }),
  rule('share', 'create add', 'user account', { also: n.KEPT_BY_ADMINS }),
  rule('share', 'promote', n.PEOPLE),
  rule('share', 'promote rollout', n.STAGES),
  rule('share', 'sync', 'application app deployment cluster production'),
  rule('delete', 'update', 'code', { also: n.words('function lambda worker') }),
  rule('share', 'report', n.COMPLAINTS),
  rule('delete', 'merge', undefined, { without: new Set([...n.CELLS, ...n.SHAPES]) }),
  rule('spend', 'register', 'domain'),
  rule('share', 'provision', 'user account access member credential key token'),
  rule('spend', 'provision', new Set([...n.BILLED, ...n.HOSTED, ...n.RESOURCES])),
  rule('spend', 'generate synthesize edit animate extend remix clone render', n.MEDIA, {
    without: n.DRAWN,
  }),
  rule('share', 'approve confirm accept allow authorize authorise', n.ENTRANTS),
  rule('provision', 'start begin launch initiate', 'flow', { also: n.SIGN_INS }),
  rule('spend', 'run execute trigger invoke launch start rerun retry replay requeue call', n.JOBS),
  rule('spend', 'assign', 'copilot'),
  rule('cancel', 'close', n.HOLDINGS),
  rule('update', 'checkout', n.REVISIONS, { without: n.words('force file path') }),
  rule('read', 'resolve', undefined, { without: n.SETTLED }),
  rule('share', 'unlock open start', n.DOORS),
  rule('share', 'get fetch retrieve obtain', n.SHARED, { last: n.LINKS }),
  rule(
    'spend',
    'scale autoscale',
    'up out node cluster instance nodepool nodegroup gpu vm machine server asg',
    {
      without: new Set([
        ...n.SCREENS,
        ...n.DISPLAYED,
        ...n.words('recipe serving ingredient text font drawing'),
      ]),
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
  rule('share', 'create post start', 'thread topic', {
    also: n.words('reply tweet chain post forum'),
    without: n.REVIEWED,
  }),
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

const MAKES = `create add make new place submit send execute process confirm approve open start initiate
  schedule perform generate issue put launch run accept deploy upsert post sign capture complete register
  batch append insert reply push produce enqueue enable attach allow authorize trigger assign upload request`;

/** They alter what is there: most of what is made once was asked about then. */
const ALTERS = 'update edit modify patch set change configure replace adjust alter';

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
    without: n.words(
      'component symbol material prefab class block widget state docker podman mock',
    ),
  }),
  rule('share', ALTERS, n.ACCESS_ALTERED, {
    isHead: true,
    without: new Set([...n.KEPT, ...n.INNER]),
  }),
  rule('share', `${MAKES} ${ALTERS}`, undefined, { last: n.words('permission acl') }),
  rule('share', 'create generate make produce', 'link', { also: n.OUTBOUND }),
  rule('share', SAYS, n.MESSAGES, {
    isHead: true,
    without: new Set([...n.KEPT, ...n.LIGHT, ...n.words('address account domain rule policy')]),
  }),
];

/** Verbs that start or release something: unless it is known to be harmless, a person is asked. */
const OUTWARD: readonly ObjectRule[] = [
  // A description says it of signing in, too, where nothing is replaced.
  rule('delete', 'write store save', 'secret credential env'),
  // What the tool does is not known.
  rule('delete', 'run execute call invoke trigger', 'tool', {
    last: n.words('tool'),
    without: new Set([...n.HARMLESS].filter((word) => word !== 'tool')),
  }),
  rule('spend', 'run trigger invoke launch perform rerun', undefined, {
    without: n.HARMLESS,
  }),
  rule('delete', 'push', undefined, { without: n.HARMLESS }),
  // What was prepared is done now, whatever it is.
  rule('delete', 'confirm approve proceed', 'action operation', { isHead: true }),
  rule('delete', 'apply', undefined, { last: n.words('') }),
  rule('share', 'activate', n.RELEASED),
  rule('deliver', 'request', undefined, {
    without: new Set([
      ...n.HARMLESS,
      ...n.words('review reviewer planning feedback time leave change'),
    ]),
  }),
];

export const OBJECT_RULES: readonly ObjectRule[] = [...FIRST, ...DOMAIN_RULES, ...MADE];
export const NAME_RULES: readonly ObjectRule[] = [...OBJECT_RULES, ...OUTWARD];
