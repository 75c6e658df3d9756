/** Classes of nouns that turn an ordinary verb into another act; `act-with-object.ts` says which verbs. */

export type Words = ReadonlySet<string>;

export function words(text: string): Words {
  return new Set(text.split(/\s+/));
}

/** Money, and promises of it. */
export const MONEY: Words =
  words(`payment charge order purchase transfer payout subscription checkout transaction
  trade swap bet bid donation withdrawal deposit refund fund money crypto eth sol btc usdc
  erc20 prediction training finetune finetuning campaign adset ad booking
  reservation escrow loan position stake giftcard billing seat topup liquidity
  ride settlement payroll leverage margin collateral addon bounty nft pledge auction autopay
  preorder mandate rental investment shipment postage portfolio
  fulfillment fulfilment disbursement remittance reimbursement prepayment repayment installment instalment wager
  sponsorship gratuity stipend paycheck cashout airdrop futures purchaseorder requisition mortgage overdraft ach sepa
  debit directdebit payin buyback crowdfunding lottery`);

/** Money, where a change of it moves more. */
export const MONEY_ALTERED: Words = words(
  `payment order subscription bid ad adset leverage margin collateral position payroll autopay stake seat
  billing plan allocation mandate escrow loan addon autoscaling loss profit booking reservation payout`,
);

/** Billed for as long as it exists. */
export const BILLED: Words =
  words(`instance droplet vm machine cluster nodepool gpu ec2 rds server hosting
  loadbalancer volume balancer vps dyno replica deployment endpoint warehouse linode compute
  autoscaling autoscaler asg license baremetal lightsail fargate eks gke aks cloudsql elasticache supercomputer
  mainframe`);

/** Billed when combined with a plan, a size or a region. */
export const HOSTED: Words = words(
  'database db project app application service environment cluster deployment cache kafka redis postgres sandbox',
);

/** Gives others access. */
export const ACCESS: Words = words(`public visibility release presigned signed shareable invite
  invitation token key secret credential webhook share access
  permission collaborator role grant
  send call sharing acl attendee guest recipient member membership
  admin owner ownership editor ingress firewall cors apikey pat oauth tunnel responder participant
  accesslist securitygroup superuser whitelist allowlist delegate proxy moderator envelope claim certificate registrant
  invitee voucher forwarding autoforward autoforwarding collaboration privacy privilege entitlement passkey sshkey
  serviceaccount accesskey subuser cohost panelist trustee superadmin sharelink bypass peering federation impersonation
  cosigner signatory coowner maintainer apitoken`);

/** Gives others access, or more of it, when it is changed. */
export const ACCESS_ALTERED: Words =
  words(`public visibility share sharing shareable access permission role grant acl
  ownership owner admin firewall ingress cors securitygroup accesslist webhook tunnel forwarding autoforward
  autoforwarding collaborator collaboration privacy membership superuser whitelist allowlist claim oauth secret credential call privilege
  entitlement superadmin federation impersonation`);

/** Access that shows in the word itself, whatever it is a part of. */
export const OPENLY: Words = words(
  'public share shared sharing shareable presigned signed forwarding autoforwarding firewall ingress',
);

/** Nouns that stand for the one before them: a payment link, a payment intent, a key pair. */
export const CARRIERS: Words = words(
  `intent attempt session request job run batch instruction execution link url uri schedule policy rule address
  pair binding assignment authorization agreement method source grant deletion endpoint order payment
  update all spending allowance approval item bundle`,
);

/** Kept in a table or a folder; to post them is to add them. */
export const ENTRIES: Words = words(
  'record row entry item page document data object table column file',
);

/** Reaches others once it is made; what is changed of it later, they have already. */
export const MESSAGES: Words =
  words(`message tweet email sms notification announcement post broadcast newsletter whatsapp poll reel
  voicemail livestream gist paste pastebin mms fax postcard bulletin robocall pressrelease mailing blogpost
  shoutout eblast toot skeet`);

/** Talked about by those who work on it. */
export const REVIEWED: Words = words(
  'mergerequest pullrequest merge pr code review issue document file comment discussion',
);

/** Where a comment is read by strangers. */
export const SOCIAL: Words = words(
  'instagram facebook linkedin twitter youtube reddit tiktok tweet video reel blog public customer',
);

/** Made to be passed on. */
export const OUTBOUND: Words = words(
  `share shared sharing shareable public invite invitation payment checkout download upload signed presigned magic login
  temporary short referral tracking meeting booking`,
);

/** About messages, money and access, and none of them. */
export const KEPT: Words = words(
  `template draft label folder filter field category signature sandbox inbox schema type preference
  setting placeholder button paper demo simulated`,
);

/** Keys of tables, members of cards and links between entries give nobody access. */
export const INNER: Words = words(
  `foreign primary partition sort card issue task story subtask ticket external epic node graph
  custom translation localization keyboard design css`,
);

/** Shown or hidden on a canvas, to nobody else. */
export const DISPLAYED: Words = words(
  'layer element node column row object shape widget series mesh actor bone axis legend grid panel sheet',
);

/** Where on a page or a list, not what is held in a market. */
export const PLACED: Words = words('list item card element node window cursor layer scroll widget');

/** Small markers that are removed as easily as they are added. */
export const LIGHT: Words = words(
  `label tag star reaction bookmark favorite favourite highlight like assignee watcher follower pin vote breakpoint
  dependency relation relationship`,
);

/** Links between entries, which are easily made again. */
export const TIES: Words = words('dependency relation relationship');

/** Things that other things are only put into. */
export const COLLECTIONS: Words = words(
  `list collection playlist cart basket wishlist watchlist project board card issue task album category queue sprint
  epic milestone segment section favorite favourite library group set cycle module roadmap view label topic feed
  shelf deck lineup backlog`,
);

/** Those that hold nothing which exists only there. */
export const SELECTIONS: Words = words(
  `playlist cart basket wishlist watchlist album sprint epic milestone favorite favourite cycle roadmap shelf lineup
  backlog`,
);

/** What exists by itself, wherever it is put. */
export const STANDALONE: Words = words(
  `issue task card item story ticket song track video movie book product place game bug epic subtask bookmark article
  recipe photo episode stock symbol`,
);

/** Exists only where it was added, or is everything. */
export const HELD: Words = words(
  `all everything secret key credential deployment branch domain backup message vector embedding attachment comment
  row record point data version environment variable webhook`,
);

/** Whoever is taken out loses access, or is no longer reached. */
export const OF_PEOPLE: Words = words(
  `user member people person participant attendee guest collaborator contributor admin owner employee role permission
  access contact subscriber recipient device customer account file document`,
);

/** What a verb of markets means something harmless with. */
export const HANDLED: Words = words(
  `text line word code tag block element component item card task issue ticket job slot row column index
  layer image node object track clip panel tab window paragraph selection function method variable widget review
  shift scene camera view file`,
);

/** Cards that money is on. */
export const MONEY_CARDS: Words = words('credit debit virtual gift prepaid bank payment');

/** Made for somebody by a host that bills it. */
export const RESOURCES: Words = words(
  'infrastructure resource capacity storage bucket network node tenant number auth workspace',
);

/** Executed as given. */
export const CODE: Words =
  words(`sql command shell script code bash terminal python javascript js powershell cmd
  statement applescript console process kubectl repl psql cli osascript notebook cell shortcut snippet
  program lua jupyter`);

/** Executes what is typed into it. */
export const PROMPTS: Words = words('process terminal console repl shell tty pty stdin tmux ssh');

/** Prepared elsewhere; it overwrites when it is applied. */
export const PLANS: Words = words(
  'migration manifest terraform plan patch diff edit change yaml ddl',
);

/** Work that vendors bill by the piece. */
export const MEDIA: Words = words(
  `image video music song speech audio voice avatar picture sound photo portrait headshot podcast
  voiceover soundtrack animation clip artwork`,
);
/** Drawn from data, by no model. */
export const DRAWN: Words = words(
  'map chart graph diagram plot qr qrcode barcode thumbnail metadata exif timeline transcript storyboard gallery',
);
export const FILMS: Words = words(
  'video music song speech podcast voiceover avatar voice image picture',
);

/** Work defined by others: it may be billed, and may do anything. */
export const JOBS: Words =
  words(`actor job workflow agent pipeline task monitor model automation flow scenario playbook
  inference workload routine macro recipe build dag action function lambda runbook copilot workflowrun
  research researcher crawl crawler experiment trigger zap bot inspection execution`);

/** Whose flow is that of signing in. */
export const SIGN_INS: Words = words(
  'oauth oauth2 auth authentication authorization login signin sso consent pkce',
);

export const SAVED: Words = words(
  'backup snapshot checkpoint dump database volume db savepoint version',
);
export const DOORS: Words = words('door garage gate car vehicle lock engine drive valve hatch');
export const BINS: Words = words('trash bin recyclebin spam');
export const HOLDINGS: Words = words('account position channel poll qr vault tenant index');
export const TEAMS: Words = words(
  'group team channel project org organization role workspace tenant chat',
);
export const PEOPLE: Words = words('user member admin moderator owner role contributor people');
export const STAGES: Words = words(
  'deployment release production pipeline build app version canary environment stage',
);
export const SCREENS: Words = words(
  'screen device image photo page display pdf video object layer',
);
export const CELLS: Words = words('cell table row column pdf image video audio clip file');
/** Merged into something larger that keeps all of them. */
export const SHAPES: Words = words('polygon geometry shape mesh dictionary json');
export const ENTRANTS: Words = words(
  'device access member user login invitation membership collaborator app guest client application',
);
export const INQUIRIES: Words = words(
  'query search report test plan audit check analysis analyzer analytics insight chart read lookup job workflow',
);
export const REVISIONS: Words = words('git branch commit ref tag revision svn');
/** Resolved for good; anything else is looked up. */
export const SETTLED: Words = words(
  `issue thread comment conflict incident ticket alert case dispute discussion conversation task review annotation
  problem bug finding error feedback request suggestion todo warning vulnerability`,
);
/** Reaches people, or is billed, from the moment it is active. */
export const RELEASED: Words = words(
  `user account member campaign ad adset workflow automation scenario zone property version release deployment
  subscription license domain sequence flow listing store site service integration sim card number`,
);
/** Where a budget is spent, and not only kept to. */
export const ADVERTISING: Words = words(
  'ad ads campaign adset daily lifetime bid marketing schedule',
);
export const SHARED: Words = words(
  `share sharing shared shareable presigned signed invite public upload access magic login signin sso authenticated
  authentication impersonation onboarding passwordless`,
);
export const LINKS: Words = words('link url');
export const COMPLAINTS: Words = words('issue bug problem abuse spam user post fraud');
export const KEPT_BY_ADMINS: Words = words(
  'db database admin iam service sql root system directory',
);

/** Harmless to run, start or apply. */
export const HARMLESS: Words =
  words(`test check lint linter query search audit report analysis diagnostic scan
  sim simulation simulator emulator app browser inspector editor backtest benchmark calculation ocr lookup
  trace recording session timer conversation thread thinking plan sprint capture profile tracking log
  watch label tag filter format formatting style theme template discount coupon formula sort layout
  transform tab window project tool toolset mode scene page language sheet frame layer validation
  preview doctor healthcheck health screencast screen operation dry lighthouse
  performance accessibility
  row column cell table color colour font refresh sync rescan reindex`);

/** Only observed: to stop observing loses nothing. */
export const OBSERVATION: Words = words(
  `recording screencast trace tracing tracking capture timer profiling profiler codegen portforward
  debugging debug debugger typing entry tracker stopwatch pomodoro playback music audio sound animation search`,
);

/** A statement that is promised to look only. */
export const READ_ONLY: Words = words('read readonly select explain dry');

/** How something is shown or counted. */
export const VIEWS: Words = words(
  'count counter filter zoom view viewport style layout theme formatting location camera badge',
);

/** Written about money in books of one's own. */
export const BOOKS: Words = words('timesheet note comment attachment metafield tag journal');
