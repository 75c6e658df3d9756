/** Money: the card, credits, invoices, approvals and usage. */
import type { Declaration } from 'plimsoll';
import { computes, creates, deletes, provisions, reads, sets, spends } from 'plimsoll';
import { declare } from '../golden.ts';
import { account, final, outside, paid, platform } from './facts.ts';

const read = ['billing:read'];
const write = ['billing:write'];
const ordersRead = ['orders:read'];
const usageRead = ['usage:read'];
const usageWrite = ['usage:write'];

export const billing: readonly Declaration[] = [
  // The card is charged in dollars; credits are what is bought.
  declare('billing.topup', 'Top Up Credits', spends('AUD', paid), write, ['credit_transaction']),
  declare('billing.approvals.approve', 'Approve Credit Purchase', spends('AUD', paid), write),

  // Approvals move nothing until somebody approves.
  declare(
    'billing.approvals.request',
    'Request Credit Purchase',
    creates('purchase request', account),
    write,
  ),
  declare(
    'billing.approvals.reject',
    'Reject Credit Purchase',
    sets('purchase rejection', { ...account, ...final }),
    write,
  ),
  declare(
    'billing.approvals.get',
    'Get Purchase Request',
    reads('purchase request', account),
    read,
  ),
  declare(
    'billing.approvals.list',
    'List Purchase Requests',
    reads('purchase request', account),
    read,
  ),

  // Switching it on permits later charges but moves nothing itself.
  declare(
    'billing.set_auto_topup',
    'Set Automatic Top-up',
    sets('automatic top-up', account),
    write,
  ),
  declare(
    'billing.auto_topup.get',
    'Get Automatic Top-up',
    reads('automatic top-up', account),
    read,
  ),

  // Balance and bills
  declare('billing.credits.balance', 'Get Credit Balance', reads('balance', account), read),
  declare(
    'billing.credits.transactions',
    'List Credit Transactions',
    reads('credit transaction', account),
    read,
  ),
  declare('billing.invoices.list', 'List Invoices', reads('invoice', account), read),
  declare('billing.stripe_invoices.list', 'List Stripe Invoices', reads('invoice', outside), read),
  declare('billing.plans.list', 'List Plans', reads('plan', platform), read),
  declare('billing.status.get', 'Get Billing Status', reads('billing status', account), read),
  declare(
    'billing.run_monthly_for_org',
    'Run Monthly Billing',
    computes('monthly bill', { ...account, ...final }),
    write,
  ),
  declare(
    'organizations.commitments.list',
    'List Commitments',
    reads('commitment', account),
    ordersRead,
  ),
  declare(
    'organizations.commitments.statement',
    'Get Commitment Statement',
    reads('statement', account),
    read,
  ),

  // Cards are kept by the payment processor.
  declare(
    'payment_methods.create_setup_intent',
    'Start Adding Card',
    provisions('card setup', {
      ...outside,
      ...final,
      secrets: ['client_secret'],
      secretsReason: 'The browser confirms the card with the processor by it; nothing is let out.',
    }),
    write,
  ),
  declare('payment_methods.attach', 'Attach Card', provisions('card', outside), write),
  declare('payment_methods.set_default', 'Set Default Card', sets('default card', account), write),
  declare('payment_methods.detach', 'Detach Card', deletes('card', outside), write),
  declare('payment_methods.list', 'List Cards', reads('card', account), read),

  // Usage
  declare('usage.current', 'Get Current Usage', reads('usage', account), usageRead),
  declare('usage.history', 'Get Usage History', reads('usage', account), usageRead),
  declare(
    'usage.recalculate_storage',
    'Recalculate Storage Usage',
    computes('storage usage', { ...account, repeat: 'same' }),
    usageWrite,
  ),
];
