/** Where a client may see something else through the gate than without it, and why. */
import type { Accepted } from './compare.ts';

const NOT_LISTED =
  'The gate refuses a tool that the server does not list, in its own words, with the problem as data.';
const RESTARTS =
  "Without the gate the end of the server is the end of the client's connection; the gate starts it again and says what became of the call.";

const SERVERS = { servers: 'aggregate' } as const;
const OWN_NAME = 'Several servers are one to the client, under the name of the gate.';
const PREFIX = 'Names of several servers are told apart by the name of the server.';
const ONE_PAGE = 'Lists of several servers are merged into one page.';

const AGGREGATE: readonly Accepted[] = [
  {
    reason: OWN_NAME,
    where: SERVERS,
    at: /^handshake\/open: .*\.(server|serverInfo|io\.modelcontextprotocol\/serverInfo)\.(name|version|title)$/,
  },
  {
    reason: 'Instructions of several servers stand under the name of each.',
    where: SERVERS,
    at: /^handshake\/open: .*\.instructions$/,
    gated: { like: /^# alpha\n\nReads are free\.\nOrders are not\.\n\n# beta\n\n/ },
  },
  {
    reason: PREFIX,
    where: SERVERS,
    at: /\.(tools|prompts)\[\d+\]\.name$/,
    gated: { template: 'alpha__{direct}' },
  },
  {
    reason: PREFIX,
    where: SERVERS,
    at: /^refusals\/a name without a server: /,
  },
  {
    reason: 'A call without a name goes to no server.',
    where: SERVERS,
    at: /^refusals\/no tool: .*\.message$/,
    gated: { like: /Unknown name: $/ },
  },
  {
    reason: ONE_PAGE,
    where: SERVERS,
    at: /^lists\/(tools|resources|templates|prompts): .*\.(tools|resources|resourceTemplates|prompts)\[\d+\]$/,
    direct: 'absent',
  },
  { reason: ONE_PAGE, where: SERVERS, at: /\.nextCursor$/, gated: 'absent' },
  {
    reason: ONE_PAGE,
    where: SERVERS,
    at: /^(lists\/.* page|lists\/tools, invalid cursor|subscriptions\/the new list): /,
  },
  {
    reason: 'A server that asks whether its client is there asks the gate, which is.',
    where: { ...SERVERS, era: '2025' },
    at: /^pings and roots\/ask_ping: \.(received\.ping|order)$/,
  },
];

export const ACCEPTED: readonly Accepted[] = [
  {
    reason: 'A spend carries a key of the gate where the tool takes one.',
    at: /^calls\/place_order: .*\.text$/,
    direct: { is: 'ordered {"item":"map"}' },
    gated: { like: /^ordered \{"idempotency_key":"[\w.:-]{16,}","item":"map"\}$/ },
  },
  {
    reason: NOT_LISTED,
    at: /^(refusals\/unknown tool|subscriptions\/a tool that is gone): .*\.message$/,
    direct: { like: /Unknown tool: get_(nothing|extra)$/ },
    gated: { like: /The server lists no tool of this name\.$/ },
  },
  {
    reason: NOT_LISTED,
    at: /^(refusals\/unknown tool|subscriptions\/a tool that is gone): .*\.data$/,
    direct: 'absent',
    gated: { like: /"code":"tool-not-listed"/ },
  },
  {
    reason: 'The gate refuses a call without a tool in its own words.',
    where: { servers: 'one' },
    at: /^refusals\/no tool: .*\.message$/,
    gated: { like: /does not name its tool\.$/ },
  },
  {
    reason: 'The gate refuses a call without a tool, with the problem as data.',
    where: { servers: 'one' },
    at: /^refusals\/no tool: .*\.data$/,
    direct: 'absent',
    gated: { like: /"code":"invalid-request"/ },
  },
  {
    reason: RESTARTS,
    at: /^stopped .*: \.outcome\.error$/,
    direct: {
      like: /has ended|closed|Not connected|Session not found|without an answer|terminated|timed out/i,
    },
    gated: 'absent',
  },
  {
    reason: RESTARTS,
    unless: { down: 'http', era: '2026' },
    at: /^stopped .*\/get_echo: \.outcome\.value$/,
    direct: 'absent',
    gated: { like: /"text":"after it"/ },
  },
  {
    reason: RESTARTS,
    unless: { down: 'http', era: '2026' },
    at: /^stopped idle\/tools: \.outcome\.value$/,
    direct: 'absent',
    gated: { like: /get_echo/ },
  },
  {
    reason: `${RESTARTS} A read is sent again.`,
    where: { up: 'stdio' },
    at: /^stopped in a read\/get_after_stop: \.outcome\.value$/,
    direct: 'absent',
    gated: { like: /read after all/ },
  },
  {
    reason: `${RESTARTS} A read is sent again, perhaps before a server over HTTP listens again.`,
    where: { up: 'http' },
    at: /^stopped in a read\/get_after_stop: \.outcome\.value$/,
    direct: 'absent',
    gated: { like: /read after all|problem:(unavailable|server-stopped)/ },
  },
  {
    reason: RESTARTS,
    at: /^stopped in a write\/stop_now: \.outcome\.value$/,
    direct: 'absent',
    gated: { like: /problem:outcome-doubtful/ },
  },
  {
    reason: RESTARTS,
    at: /^stopped .*: \.(received\.response|order)/,
  },
  ...AGGREGATE,
];
