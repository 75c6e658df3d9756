/**
 * The verbs that tool names and descriptions use, with the act that each one usually means. `firm`
 * verbs are hardly ever nouns; a `loose` one (`order`, `post`, `share`) may be either.
 */
import type { Act } from '../act.ts';

interface Verb {
  readonly act: Act;
  readonly firm: boolean;
}

type Group = readonly [Act, string];

const LOOKING: readonly Group[] = [
  [
    'read',
    `get search read fetch find describe show view lookup count check inspect retrieve browse
    explore validate verify compare diff analyze analyse estimate calculate convert download grep glob
    ls cat stat ping whoami lint explain suggest detect parse geocode translate summarize summarise
    wait screenshot discover identify peek poll measure recommend enumerate simulate predict
    tail dump scrape return returns autocomplete classify decode encode
    format compute determine ask learn locate preview is has can probe display print introspect think
    rank match profile obtain provide gather collect examine track geolocate
    aggregate tokenize visualize sample score benchmark tell give answer look recall load
    observe diagnose troubleshoot investigate scan assert listen await sleep whois dig
    nslookup traceroute echo greet sum sqrt mod pow subtract multiply divide round average solve plot hash transform
    minify beautify prettify highlight outline ocr caption embed rerank forecast propose brainstorm
    reflect consult reason critique assess simplify receive walk traverse iterate cite
    quantify interpret contrast correlate pick roll flip guess
    inventory paginate getall hget hgetall lrange smembers zrange
    xrange llen hexists exists tally survey backtest curl`,
  ],
];

const CHANGING: readonly Group[] = [
  [
    'create',
    `create initiate add insert make generate build init initialize initialise clone fork duplicate start begin
    new setup bootstrap pack compose produce render instantiate open schedule draft import upload commit stage push
    synthesize synthesise transcribe ingest spawn scaffold remember declare define establish mkdir
    touch sadd zadd lpush rpush xadd enqueue seed populate`,
  ],
  ['append', 'append prepend attach'],
  [
    'update',
    `update edit modify patch change configure adjust upsert toggle mark complete close reopen lock
    unlock assign unassign resize scale autoscale pause resume enable activate approve accept
    decline deny reject confirm restore recover pull sync refresh reindex navigate click press hover
    drag scroll fill resolve unresolve customize annotate enrich merge increment decrement
    subscribe unsubscribe follow unfollow join star unstar pin unpin mute unmute snooze react vote
    undo redo handle process apply revert promote rollout cordon uncordon emulate like unlike
    upvote downvote skip play seek queue shuffle dismiss migrate type tick bump tap swipe focus blur
    zoom boot reload transition escalate acknowledge ack triage reprioritize reschedule postpone
    extend interact reveal uncheck switch rate flag unflag nudge align tidy organize organise arrange categorize categorise prioritize normalize split expand collapse increase decrease raise lower unfreeze unban unblock optimize rebuild warm crop
    trim retry rerun replay requeue redrive resubmit relaunch minimize maximize
    associate reassign tweak recategorize group ungroup regroup finalize distribute advance select deselect
    vacuum synchronize repair fix refactor alter silence unrepost unretweet unreact`,
  ],
  ['put', 'write save store hset rewrite put'],
  ['set', 'set turn dim arm'],
  ['move', 'move rename reorder sort copy relocate'],
  ['archive', 'archive unarchive hide'],
  [
    'provision',
    'register provision connect authenticate login logout authorize enroll enrol onboard install',
  ],
  ['compute', 'run execute exec trigger invoke eval evaluate perform launch'],
];

const GRAVE: readonly Group[] = [
  [
    'delete',
    `delete remove destroy drop purge erase wipe clear truncate trash discard unlink rm rmdir del uninstall flush
    prune evict unregister deregister dismantle teardown nuke clean cleanup empty obliterate reset rollback
    expunge drain forget expire unset reformat shred undeploy deprovision overwrite replace recreate rebase
    dissolve unenroll eject burn flushdb flushall hdel dropdb rmtree delist dispose deallocate scrub squash amend
    dedupe deduplicate consolidate demolish invalidate clobber unenrol yank retract unsend lpop rpop spop zpopmin
    zpopmax dequeue srem zrem lrem xdel xtrim ltrim getdel jsondel cull reap gc retire sunset disassociate unmount
    unbind strip zap abolish annihilate declutter deindex delink depopulate detonate ditch efface eliminate
    eradicate excise exterminate extinguish jettison nullify oust pulverize raze redact rescind reimage
    reinitialize reinstall repartition sever snuff tombstone unpair unprovision uproot
    vaporize wipeout zeroize zerofill`,
  ],
  [
    'revoke',
    `revoke ban kick suspend deactivate unshare unpublish disable disconnect detach disarm evacuate rotate offboard
    quarantine isolate override demote unfriend deauthorize deauth uninvite disinvite expel blacklist blocklist
    denylist lockout unlist freeze unverify regenerate banish blackhole depose deplatform dethrone disallow
    disavow disbar disown exile forbid impound outlaw prohibit repossess sack shun unauthorize unlicense
    unseat withhold`,
  ],
  [
    'cancel',
    `cancel terminate kill abort stop halt shutdown void decommission restart reboot power hangup killall poweroff
    failover switchover downgrade interrupt resign abandon adjourn hibernate pkill preempt quiesce sigkill sigterm
    takedown unplug unschedule`,
  ],
  [
    'spend',
    `pay buy purchase checkout withdraw donate stake unstake swap mint sell redeem borrow lend repay invest remit
    hire rent renew upgrade topup recharge payout disburse liquidate bridge wager finetune finetuning sign claim
    wrap unwrap delegate undelegate harvest airdrop sponsor preorder exercise settle prepay autopay rebalance
    procure acquire train inpaint outpaint upscale lipsync dub imagine crowdfund underwrite bankroll cashout
    collateralize compensate deleverage endow fundraise gamble offramp onramp outbid outsource reinvest remunerate
    restake restock resubscribe subsidize unvest`,
  ],
  ['refund', 'refund chargeback reimburse'],
  [
    'share',
    `publish grant expose exfiltrate impersonate deploy redeploy whitelist allowlist permit entitle elevate tunnel
    syndicate unprotect republish circulate declassify disclose disseminate divulge empower exfil federate golive
    opensource proclaim promulgate publicize showcase simulcast sudo unmask unveil webcast`,
  ],
  [
    'deliver',
    `send reply forward notify invite reinvite broadcast announce dm respond rsvp resend transmit dispatch submit
    submitform crosspost repost whisper poke relay bcast congratulate complain correspond inform nag pester
    solicit summon telephone testify`,
  ],
];

const LOOSE: readonly Group[] = [
  [
    'read',
    `list query place capture review status test log logs trace audit map snapshot filter help monitor watch extract
    info details history stats metadata overview summary diagnostics health doctor quote`,
  ],
  ['update', 'next previous rewind'],
  ['create', 'issue request comment note record backup link tag label bookmark plan index report'],
  [
    'spend',
    'order transfer charge book reserve trade bid bet deposit tip wire supply crawl research fund',
  ],
  ['share', 'share export release'],
  ['cancel', 'leave end exit quit'],
  ['revoke', 'block'],
  ['delete', 'act pop'],
  ['deliver', 'post mail tweet retweet message email call dial fax alert sms'],
];

/** What a word means as a verb; a compound of a known verb means the same, or its reversal. */
export function verbOf(word: string): Verb | undefined {
  const own = VERBS.get(word) ?? VERBS.get(word.replace(/ise$/, 'ize'));
  if (own !== undefined) return own;
  const [, prefix, rest = ''] =
    /^(un|de|dis|re|auto|bulk|batch|mass|multi)([a-z]{3,})$/.exec(word) ?? [];
  const verb = prefix === undefined ? undefined : VERBS.get(rest);
  if (verb?.firm !== true || verb.act === 'read' || WHOLE.has(word)) return undefined;
  if (!REVERSES.has(prefix ?? '')) return verb;
  // Undoing a removal or a change restores something; undoing what was made or opened ends it.
  const restores = prefix === 'un' && RESTORABLE.has(verb.act);
  return { act: restores ? 'update' : 'cancel', firm: true };
}

/** Words of their own. */
const WHOLE = new Set(['design', 'resort', 'reform', 'reclaim']);
const REVERSES = new Set(['un', 'de', 'dis']);
const RESTORABLE: ReadonlySet<Act> = new Set<Act>([
  'update',
  'move',
  'archive',
  'delete',
  'revoke',
  'cancel',
]);

/** They can mean any act; only the choices show which. */
export const OPEN_ENDED: ReadonlySet<string> = new Set(
  'manage administer control operate crud manipulate do'.split(' '),
);

export const VERBS: ReadonlyMap<string, Verb> = new Map([
  ...toEntries([...LOOKING, ...CHANGING, ...GRAVE], true),
  ...toEntries([['delete', [...OPEN_ENDED].join(' ')]], true),
  ...toEntries(LOOSE, false),
]);

function* toEntries(groups: readonly Group[], firm: boolean): Generator<[string, Verb]> {
  for (const [act, words] of groups)
    for (const word of words.split(/\s+/)) yield [word, { act, firm }];
}
