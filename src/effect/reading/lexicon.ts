/**
 * The verbs that tool names and descriptions use, with the act that each one usually means. `firm`
 * verbs are hardly ever nouns; a `loose` one (`order`, `post`, `share`) may be either.
 */
import type { Act } from '../act.ts';

export interface Verb {
  readonly act: Act;
  readonly firm: boolean;
}

const FIRM: readonly (readonly [Act, string])[] = [
  [
    'read',
    `get search read fetch find describe show view lookup count check inspect retrieve browse
    explore validate verify compare diff analyze analyse estimate calculate convert download grep glob
    ls cat stat ping whoami lint explain suggest detect parse geocode translate summarize summarise
    wait screenshot discover identify peek poll measure recommend enumerate simulate predict
    tail dump scrape return returns select autocomplete classify decode encode
    format compute determine ask learn locate preview is has can probe display print introspect think
    rank match profile obtain provide gather collect examine track geolocate
    aggregate tokenize visualize sample score benchmark tell give answer look recall load`,
  ],
  [
    'create',
    `create add insert make generate build init initialize initialise clone fork duplicate start begin
    new pack compose produce render instantiate open schedule draft import upload commit stage push
    synthesize synthesise transcribe ingest spawn scaffold remember`,
  ],
  ['append', 'append prepend attach'],
  [
    'update',
    `update edit modify patch change configure adjust upsert toggle mark complete close reopen lock
    unlock assign unassign resize scale pause resume enable activate approve accept
    decline deny reject confirm restore recover pull sync refresh reindex navigate click press hover
    drag scroll fill resolve unresolve customize annotate enrich merge increment decrement
    subscribe unsubscribe follow unfollow join star unstar pin unpin mute unmute snooze react vote
    undo redo manage handle process apply revert promote rollout cordon uncordon emulate like unlike
    upvote downvote skip play seek queue shuffle dismiss migrate type tick bump`,
  ],
  ['put', 'write save store replace'],
  ['set', 'set turn dim arm'],
  ['move', 'move rename reorder sort copy relocate'],
  ['archive', 'archive unarchive hide'],
  ['provision', 'register connect authenticate login logout authorize enroll onboard install'],
  ['compute', 'run execute exec trigger invoke eval evaluate perform launch deploy'],
  [
    'delete',
    `delete remove destroy drop purge erase wipe clear truncate trash discard unlink rm rmdir del
    uninstall flush prune evict unregister deregister dismantle teardown nuke clean cleanup empty
    obliterate reset rollback expunge drain forget expire unset reformat shred undeploy deprovision
    overwrite rebase dissolve unenroll eject burn flushdb flushall
    hdel dropdb rmtree unlink delist`,
  ],
  [
    'revoke',
    `revoke ban kick suspend deactivate unshare unpublish disable disconnect detach disarm evacuate rotate
    offboard quarantine isolate override`,
  ],
  [
    'cancel',
    'cancel terminate kill abort stop halt shutdown void decommission restart reboot power hangup killall',
  ],
  [
    'spend',
    `pay buy purchase checkout withdraw donate stake unstake swap mint sell redeem borrow lend repay
    invest remit hire rent renew upgrade topup recharge payout disburse liquidate bridge wager finalize
    finetune finetuning
    provision sign claim wrap unwrap delegate undelegate harvest airdrop sponsor preorder`,
  ],
  ['refund', 'refund chargeback reimburse'],
  ['share', 'publish grant expose exfiltrate impersonate'],
  [
    'deliver',
    `send reply forward notify invite reinvite broadcast announce dm respond rsvp
    resend transmit dispatch submit submitform crosspost repost`,
  ],
];

const LOOSE: readonly (readonly [Act, string])[] = [
  [
    'read',
    'list query place capture review status test log trace audit map snapshot filter help monitor watch extract',
  ],
  ['create', 'issue request comment note record backup link tag label bookmark plan index report'],
  [
    'spend',
    'order transfer charge book reserve trade bid bet deposit tip wire supply crawl research',
  ],
  ['share', 'share export'],
  ['cancel', 'leave end exit quit'],
  ['revoke', 'block'],
  ['deliver', 'post mail tweet retweet message email call dial fax alert sms'],
];

export const VERBS: ReadonlyMap<string, Verb> = new Map([
  ...toEntries(FIRM, true),
  ...toEntries(LOOSE, false),
]);

function* toEntries(
  groups: readonly (readonly [Act, string])[],
  firm: boolean,
): Generator<[string, Verb]> {
  for (const [act, words] of groups)
    for (const word of words.split(/\s+/)) yield [word, { act, firm }];
}
