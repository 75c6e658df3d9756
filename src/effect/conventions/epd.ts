/**
 * EPD: all four hints are always set. Destructive is what removes state or cannot be undone; a charge
 * that a refund undoes is not. A write with a key, even an optional one, counts as repeatable.
 */
import type { Convention, ConventionException } from '../convention.ts';
import { defineConvention } from '../convention.ts';
import type { Effect } from '../effect.ts';
import { changeOf, staysInside } from '../effect.ts';
import type { Hints } from '../hints.ts';
import { settles } from '../repeat.ts';
import type { ClassLists } from '../safety-class.ts';

/**
 * The EPD tools whose hints differ from what their effects imply. What EPD says about one tool, by name
 * or in its lists by safety, takes precedence over what it says about the tool's kind.
 */
const epdExceptions: readonly ConventionException[] = Object.freeze([
  {
    operation: 'upgrade_webhook_version',
    hints: { destructiveHint: true },
    reason: 'EPD lists it as destructive, although a downgrade restores the old version.',
  },
  {
    operation: 'downgrade_webhook_version',
    hints: { destructiveHint: true },
    reason: 'EPD lists it as destructive, although an upgrade restores the old version.',
  },
  {
    operation: 'archive_coupon',
    hints: { destructiveHint: true },
    reason:
      'EPD declares it destructive, although unarchive_coupon and update_coupon restore the coupon.',
  },
  {
    operation: 'test_webhook_endpoint',
    hints: { openWorldHint: false },
    reason: 'EPD lists no tool as open world today, although this one posts to the endpoint.',
  },
  {
    operation: 'replay_webhook_event',
    hints: { openWorldHint: false },
    reason: 'EPD lists no tool as open world today, although this one posts to the endpoint.',
  },
] satisfies ConventionException[]);

/** EPD's lists by safety, as it writes them. */
const epdClasses: ClassLists = Object.freeze({
  safe: [
    'list_*',
    'get_*',
    'preview_*',
    'compare_*',
    'ping',
    'get_account',
    'get_revenue_summary',
    'get_customer_financial_summary',
    'list_past_due_subscriptions',
  ],
  'needs-approval': [
    'delete_*',
    'cancel_subscription',
    'refund_order',
    'refund_transaction',
    'refund_and_cancel',
    'cancel_subscription_and_report',
    'upgrade_account_api_version',
    'upgrade_webhook_version',
    'downgrade_webhook_version',
  ],
});

export const epd: Convention = defineConvention({
  name: 'epd',
  hints: (effect: Effect): Hints => {
    const change = changeOf(effect);
    return {
      readOnlyHint: change === 'nothing',
      destructiveHint: change === 'removes' || (change === 'alters' && !effect.reversible),
      idempotentHint: settles(effect.repeat),
      openWorldHint: !staysInside(effect.reach),
    };
  },
  titleIn: ['tool', 'annotations'],
  meta: [],
  listsOutputSchema: true,
  lists: 'all',
  exceptions: epdExceptions,
  classes: epdClasses,
});
