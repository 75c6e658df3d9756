/** The organization: projects and members, keys, webhooks, alerts, the inbox and provenance. */
import type { Declaration } from 'plimsoll';
import {
  archives,
  creates,
  deletes,
  delivers,
  provisions,
  reads,
  revokes,
  sets,
  shares,
  updates,
} from 'plimsoll';
import { declare } from '../golden.ts';
import { account, callerUrl, final } from './facts.ts';

const projectsWrite = ['projects:write'];
const keysRead = ['api_keys:read'];
const keysWrite = ['api_keys:write'];
const hooksRead = ['event_subscriptions:read'];
const hooksWrite = ['event_subscriptions:write'];
const alertsRead = ['alerts:read'];
const alertsWrite = ['alerts:write'];
const inboxRead = ['notifications:read'];
const inboxWrite = ['notifications:write'];

export const organization: readonly Declaration[] = [
  declare(
    'organizations.create',
    'Create Organization',
    provisions('organization', { ...account, ...final }),
    ['organizations:write'],
    ['organization'],
  ),

  // Projects
  declare('projects.create', 'Create Project', creates('project', account), projectsWrite, [
    'project',
  ]),
  declare('projects.update', 'Update Project', updates('project', account), projectsWrite),
  declare('projects.archive', 'Archive Project', archives('project', account), projectsWrite),
  declare('projects.delete', 'Delete Project', deletes('project', account), projectsWrite),
  declare(
    'projects.add_member',
    'Add Project Member',
    provisions('membership', account),
    projectsWrite,
  ),
  declare(
    'projects.update_member',
    'Change Member Role',
    sets('member role', account),
    projectsWrite,
  ),
  declare(
    'projects.remove_member',
    'Remove Project Member',
    revokes('membership', { ...account, reversible: true }),
    projectsWrite,
  ),

  // API keys
  declare(
    'api_keys.create',
    'Create API Key',
    shares('API key', { ...account, secrets: ['key'] }),
    keysWrite,
    ['api_key'],
  ),
  declare('api_keys.revoke', 'Revoke API Key', revokes('API key', account), keysWrite),
  declare('api_keys.list', 'List API Keys', reads('API key', account), keysRead),

  // Webhooks: from the moment a subscription stands, events go to the address in it.
  declare(
    'event_subscriptions.create',
    'Create Event Subscription',
    creates('event subscription', {
      ...callerUrl,
      secrets: ['secret'],
      secretsReason: 'The endpoint checks signatures with it; it opens nothing at Geopera.',
    }),
    hooksWrite,
    ['event_subscription'],
  ),
  declare(
    'event_subscriptions.update',
    'Update Event Subscription',
    updates('event subscription', callerUrl),
    hooksWrite,
  ),
  declare(
    'event_subscriptions.test',
    'Send Test Event',
    delivers('test event', callerUrl),
    hooksWrite,
  ),
  declare(
    'event_subscriptions.delete',
    'Delete Event Subscription',
    deletes('event subscription', account),
    hooksWrite,
  ),
  declare(
    'event_subscriptions.get',
    'Get Event Subscription',
    reads('event subscription', account),
    hooksRead,
  ),
  declare(
    'event_subscriptions.list',
    'List Event Subscriptions',
    reads('event subscription', account),
    hooksRead,
  ),

  // Alerts
  declare('alerts.create_rule', 'Create Alert Rule', creates('alert rule', account), alertsWrite, [
    'alert_rule',
  ]),
  declare('alerts.update_rule', 'Update Alert Rule', updates('alert rule', account), alertsWrite),
  declare('alerts.delete_rule', 'Delete Alert Rule', deletes('alert rule', account), alertsWrite),
  declare('alerts.rule.get', 'Get Alert Rule', reads('alert rule', account), alertsRead),
  declare('alerts.rules.list', 'List Alert Rules', reads('alert rule', account), alertsRead),
  declare('alerts.test_rule', 'Try Alert Rule', reads('alert rule', account), alertsRead),
  declare('alerts.events.list', 'List Alert Events', reads('alert event', account), alertsRead),
  declare(
    'alerts.acknowledge_event',
    'Acknowledge Alert Event',
    sets('acknowledgement', { ...account, ...final }),
    alertsWrite,
  ),

  // The inbox
  declare('notifications.list', 'List Notifications', reads('notification', account), inboxRead),
  declare(
    'notifications.unread_count',
    'Count Unread Notifications',
    reads('notification', account),
    inboxRead,
  ),
  declare(
    'notifications.mark_read',
    'Mark Notification Read',
    sets('read mark', { ...account, ...final }),
    inboxWrite,
  ),
  declare(
    'notifications.mark_all_read',
    'Mark All Notifications Read',
    sets('read mark', { ...account, ...final, repeat: 'end-state' }),
    inboxWrite,
  ),
  declare(
    'notifications.dismiss',
    'Dismiss Notification',
    sets('dismissal', { ...account, ...final }),
    inboxWrite,
  ),

  declare('provenance.get', 'Get Provenance', reads('provenance', account), ['provenance:read']),
];
