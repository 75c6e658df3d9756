/** Where a client may see something else through the gate than without it, and why. */
import type { Accepted } from './compare.ts';

const SERVERS = { servers: 'aggregate' } as const;
/** Shows neither the handshake nor pages. */
const INSPECTOR = { client: 'inspector' } as const;

/** Shows the text of an answer with an HTTP error as it is. */
const WHOLE_BODY = { client: 'sdk2', era: '2026', down: 'http' } as const;

const NOT_LISTED =
  'The gate refuses a tool that the server does not list, in its own words, with the problem as data.';
const RESTARTS =
  "Without the gate the end of the server is the end of the client's connection; the gate starts it again and says what became of the call.";
const NEW_LISTS = 'A server that was started again may list other things.';
const OWN_NAME = 'Several servers are one to the client, under the name of the gate.';
const PREFIX = 'Names of several servers are told apart by the name of the server.';
const ONE_PAGE = 'Lists of several servers are merged into one page.';

const FOREIGN =
  'The gate refuses a method outside of the protocol in its own words, with the problem as data.';

/** In front of one server or several. */
const ALWAYS: readonly Accepted[] = [
  {
    reason: FOREIGN,
    steps: /^refusals\/unknown method$/,
    path: /\.message$/,
    direct: { like: /Method not found/i },
    gated: { like: /The method is not part of the protocol/ },
  },
  {
    reason: FOREIGN,
    unless: WHOLE_BODY,
    steps: /^refusals\/unknown method$/,
    path: /\.data$/,
    direct: 'absent',
    gated: { like: /"code":"denied-by-policy"/ },
  },
  {
    reason: FOREIGN,
    where: WHOLE_BODY,
    steps: /^refusals\/unknown method$/,
    path: /\.data\.text$/,
    direct: { like: /Method not found/i },
    gated: { like: /denied-by-policy/ },
  },
  {
    reason: 'A spend carries a key of the gate where the tool takes one.',
    steps: /^calls\/place_order$/,
    path: /\.text$/,
    direct: { is: 'ordered {"item":"map"}' },
    gated: { like: /^ordered \{"idempotency_key":"[\w.:-]{16,}","item":"map"\}$/ },
  },
  {
    reason: NOT_LISTED,
    steps: /^(refusals\/unknown tool|subscriptions\/a tool that is gone)$/,
    path: /\.message$/,
    direct: { like: /Unknown tool: get_(nothing|extra)$/ },
    gated: { like: /The server lists no tool of this name\.$/ },
  },
  {
    reason: NOT_LISTED,
    steps: /^(refusals\/unknown tool|subscriptions\/a tool that is gone)$/,
    path: /\.data$/,
    direct: 'absent',
    gated: { like: /"code":"tool-not-listed"/ },
  },
  {
    reason: 'The gate refuses a call without a tool in its own words.',
    where: { servers: 'one' },
    steps: /^refusals\/no tool$/,
    path: /\.message$/,
    direct: { like: /Unknown tool: null$/ },
    gated: { like: /does not name its tool\.$/ },
  },
  {
    reason: 'The gate refuses a call without a tool, with the problem as data.',
    where: { servers: 'one' },
    steps: /^refusals\/no tool$/,
    path: /\.data$/,
    direct: 'absent',
    gated: { like: /"code":"invalid-request"/ },
  },
];

/** Where the server stops. */
const STOPPED: readonly Accepted[] = [
  {
    reason: RESTARTS,
    steps: /^stopped in a /,
    path: /^\.outcome\.error$/,
    direct: {
      like: /has ended|closed|Not connected|Session not found|without an answer|terminated|timed out/i,
    },
    gated: 'absent',
  },
  {
    reason: RESTARTS,
    unless: { down: 'http', era: '2026' },
    steps: /^stopped idle\/(get_echo|tools)$/,
    path: /^\.outcome\.error$/,
    direct: { like: /has ended|closed|Not connected|Session not found|without an answer/i },
    gated: 'absent',
  },
  {
    reason: RESTARTS,
    unless: { down: 'http', era: '2026' },
    steps: /^stopped .*\/get_echo$/,
    path: /^\.outcome\.value$/,
    direct: 'absent',
    gated: { like: /"text":"after it"/ },
  },
  {
    reason: RESTARTS,
    unless: { down: 'http', era: '2026' },
    steps: /^stopped idle\/tools$/,
    path: /^\.outcome\.value$/,
    direct: 'absent',
    gated: { like: /get_echo/ },
  },
  {
    reason: `${RESTARTS} A read is sent again.`,
    where: { up: 'stdio' },
    steps: /^stopped in a read\/get_after_stop$/,
    path: /^\.outcome\.value$/,
    direct: 'absent',
    gated: { like: /read after all/ },
  },
  {
    reason: `${RESTARTS} A read is sent again, perhaps before a server over HTTP listens again.`,
    where: { up: 'http' },
    steps: /^stopped in a read\/get_after_stop$/,
    path: /^\.outcome\.value$/,
    direct: 'absent',
    gated: { like: /read after all|problem:(unavailable|server-stopped)/ },
  },
  {
    reason: RESTARTS,
    steps: /^stopped in a write\/stop_now$/,
    path: /^\.outcome\.value$/,
    direct: 'absent',
    gated: { like: /problem:outcome-doubtful/ },
  },
  { reason: RESTARTS, steps: /^stopped in a /, path: /^\.(received\.response|order)/ },
  {
    reason: RESTARTS,
    unless: { down: 'http', era: '2026' },
    steps: /^stopped idle\/(get_echo|tools)$/,
    path: /^\.(received\.response|order)/,
  },
  {
    reason: NEW_LISTS,
    where: { era: '2025' },
    steps: /^stopped /,
    path: /^\.received\.notifications\/(tools|prompts|resources)\/list_changed$/,
    direct: 'absent',
  },
];

const AGGREGATE: readonly Accepted[] = [
  {
    reason: OWN_NAME,
    where: SERVERS,
    unless: INSPECTOR,
    steps: /^(handshake|lists|stopped idle)\//,
    path: /\.(server|serverInfo|io\.modelcontextprotocol\/serverInfo)\.(name|version|title)$/,
  },
  {
    reason: 'What is merged may depend on the caller, so that no shared cache may keep it.',
    where: { ...SERVERS, era: '2026' },
    unless: INSPECTOR,
    steps: /^(handshake|lists|stopped idle)\//,
    path: /\.cacheScope$/,
    direct: { is: 'public' },
    gated: { is: 'private' },
  },
  {
    reason: 'Instructions of several servers stand under the name of each.',
    where: SERVERS,
    unless: INSPECTOR,
    steps: /^handshake\/open$/,
    path: /\.instructions$/,
    gated: { like: /^# alpha\n\nReads are free\.\nOrders are not\.\n\n# beta\n\n/ },
  },
  {
    reason: PREFIX,
    where: SERVERS,
    steps: /^(lists|stopped idle)\/(tools|prompts)$/,
    path: /\.(tools|prompts)\[\d+\]\.name$/,
    gated: { template: 'alpha__{direct}' },
  },
  { reason: PREFIX, where: SERVERS, steps: /^refusals\/a name without a server$/ },
  {
    reason: 'A call without a name goes to no server.',
    where: SERVERS,
    steps: /^refusals\/no tool$/,
    path: /\.message$/,
    gated: { like: /Unknown name: $/ },
  },
  {
    reason: ONE_PAGE,
    where: SERVERS,
    steps: /^(lists|stopped idle)\/(tools|resources|prompts)$/,
    path: /\.(tools|resources|prompts)\[\d+\]$/,
    direct: 'absent',
  },
  {
    reason: ONE_PAGE,
    where: SERVERS,
    unless: INSPECTOR,
    steps: /^(lists|stopped idle)\/(tools|resources)$/,
    path: /\.nextCursor$/,
    gated: 'absent',
  },
  {
    reason: ONE_PAGE,
    where: SERVERS,
    steps: /^(lists\/.* page|lists\/tools, invalid cursor|subscriptions\/the new list)$/,
  },
  {
    reason: `${ONE_PAGE} The second SDK asks for all pages by itself.`,
    where: { ...SERVERS, client: 'sdk2' },
    steps: /^(lists|stopped idle)\/(tools|resources)$/,
    path: /^\.(received\.response\[[1-9]\]|order)$/,
  },
  {
    reason: 'A server that asks whether its client is there asks the gate, which is.',
    where: { ...SERVERS, era: '2025' },
    steps: /^pings and roots\/ask_ping$/,
    path: /^\.(received\.ping|order)$/,
  },
];

export const ACCEPTED: readonly Accepted[] = [...ALWAYS, ...STOPPED, ...AGGREGATE];
