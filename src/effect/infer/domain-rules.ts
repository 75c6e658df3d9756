/** Rules of one domain each: what a verb means in banking, hosting, marketing, devices. */
import * as n from './nouns.ts';
import type { ObjectRule } from './object-rule.ts';
import { rule } from './object-rule.ts';

export const DOMAIN_RULES: readonly ObjectRule[] = [
  rule('revoke', 'sign logout', 'user session device member employee account all everyone', {
    without: n.words('in up current my own'),
    also: n.words('out user session device member employee all everyone'),
  }),
  rule('provision', 'sign', 'in out up'),
  rule('move', 'transfer', 'issue ticket task card page note conversation'),
  rule('delete', 'update upgrade install flash', 'firmware bios kernel os'),
  rule('delete', 'install', 'chart helm'),
  rule('delete', 'upload', 'sftp ftp scp'),
  rule('delete', 'patch', 'kubectl manifest'),
  rule('delete', 'format', 'disk drive volume partition usb'),
  rule('delete', 'run execute', 'migration rollback seed'),
  rule('delete', 'migrate', 'database db schema'),
  rule('share', 'set put update attach', 'policy', {
    isHead: true,
    also: n.words('bucket access iam resource topic'),
  }),
  rule('delete', 'set put update configure', 'lifecycle', { without: n.words('hook event stage') }),
  rule('spend', 'change set update', 'type size class', {
    also: n.words('server instance droplet machine vm nodepool'),
    last: n.words('type size class'),
  }),
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
  rule('delete', 'evaluate eval', 'expression', {
    without: n.words('math mathematical arithmetic'),
  }),
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
