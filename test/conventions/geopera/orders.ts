/** Buying imagery: archive orders, tasking, and what becomes of an order. */
import type { Declaration } from 'plimsoll';
import {
  cancels,
  creates,
  deletes,
  estimates,
  reads,
  sets,
  spends,
  updates,
  varies,
  when,
} from 'plimsoll';
import { declare } from '../golden.ts';
import { account, paid, platform, vendor } from './facts.ts';

const itemsRead = ['items:read'];
const ordersRead = ['orders:read'];
const ordersWrite = ['orders:write'];

export const orders: readonly Declaration[] = [
  // Prices come from what vendors ask at the moment.
  declare(
    'orders.archive.estimate',
    'Estimate Archive Order',
    estimates('credits', vendor),
    ordersRead,
  ),
  declare(
    'orders.tasking.estimate',
    'Estimate Tasking Order',
    estimates('credits', vendor),
    ordersRead,
  ),
  declare('orders.estimate', 'Estimate Order', estimates('credits', vendor), itemsRead),

  // Placing sets credits aside; the vendor's delivery turns them into a charge.
  declare(
    'orders.archive.place',
    'Place Archive Order',
    spends('credits', { ...paid, estimate: 'orders.archive.estimate', reserves: true }),
    ordersWrite,
    ['order'],
  ),
  declare(
    'orders.tasking.place',
    'Place Tasking Order',
    spends('credits', { ...paid, estimate: 'orders.tasking.estimate', reserves: true }),
    ordersWrite,
    ['order'],
  ),
  declare(
    'orders.place',
    'Place Order',
    spends('credits', { ...paid, estimate: 'orders.estimate', reserves: true }),
    ordersWrite,
    ['order'],
  ),

  // Saying no to a quotation costs nothing; the stamp still shows the costly side.
  declare(
    'orders.tasking.feasibility_decide',
    'Decide on Feasibility Study',
    spends('credits', { ...paid, reserves: true }),
    ordersWrite,
  ),
  declare(
    'orders.tasking.quotation_decide',
    'Decide on Quotation',
    varies(spends('credits', { ...paid, reserves: true }), {
      when: when('decision', 'REJECTED'),
      effect: sets('quotation', account),
    }),
    ordersWrite,
  ),

  declare(
    'orders.cancel',
    'Cancel Order',
    cancels('order', {
      ...paid,
      money: { moves: 'refund', unit: 'credits' },
      tier: 'external_spend',
      tierReason: 'It voids or refunds the reservation, so it runs under the money key contract.',
    }),
    ordersWrite,
  ),
  declare('orders.update', 'Update Order Tags', updates('order tags', account), ordersWrite),

  // Orders that were placed
  declare('orders.get', 'Get Order', reads('order', account), ordersRead),
  declare('orders.list', 'List Orders', reads('order', account), ordersRead),
  declare('orders.list_assets', 'List Order Assets', reads('asset', account), itemsRead),
  declare('orders.coverage.get', 'Get Order Coverage', reads('coverage', account), ordersRead),
  declare(
    'orders.coverage.groups.list',
    'List Order Coverage Groups',
    reads('coverage group', account),
    ordersRead,
  ),
  declare('orders.get_schema', 'Get Order Schema', reads('order schema', platform), itemsRead),

  // What a vendor could capture
  declare(
    'orders.tasking.feasibility_check',
    'Check Tasking Feasibility',
    reads('feasibility', vendor),
    ordersRead,
  ),
  declare(
    'orders.tasking.opportunities_list',
    'List Tasking Opportunities',
    reads('opportunity', vendor),
    ordersRead,
  ),
  declare('orders.tasking.sensors', 'List Tasking Sensors', reads('sensor', platform), ordersRead),

  // What waits for the organization to decide
  declare(
    'orders.tasking.decisions.pending',
    'List Pending Decisions',
    reads('pending decision', account),
    ordersRead,
  ),
  declare(
    'orders.tasking.feasibility_studies.list',
    'List Feasibility Studies',
    reads('feasibility study', account),
    ordersRead,
  ),
  declare(
    'orders.tasking.quotations.list',
    'List Quotations',
    reads('quotation', account),
    ordersRead,
  ),

  // Templates
  declare(
    'orders.tasking.templates.list',
    'List Tasking Templates',
    reads('tasking template', account),
    ordersRead,
  ),
  declare(
    'orders.tasking.templates.save',
    'Save Tasking Template',
    creates('tasking template', account),
    ordersWrite,
    ['tasking_template'],
  ),
  declare(
    'orders.tasking.templates.delete',
    'Delete Tasking Template',
    deletes('tasking template', account),
    ordersWrite,
  ),
];
