/**
 * Buying credits with four eyes: one person requests, another approves, and only then is the card
 * charged.
 */
import type { Operation } from 'plimsoll/server';
import { creates, ProblemError, reads, sets, spends } from 'plimsoll/server';
import * as z from 'zod';
import type { PurchaseRequest } from '../store/purchase-requests.ts';
import { REQUEST_STATUSES } from '../store/purchase-requests.ts';
import { LEAST_TOPUP, MOST_TOPUP } from './billing.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, final, paid } from './facts.ts';
import { pay } from './pay.ts';
import { found } from './refuse.ts';

const read = ['billing:read'];
const write = ['billing:write'];
const approvalId = z.string().max(80).describe('Which request');
const IdOut = z.object({ id: z.string() });

const RequestOut = z.object({
  id: z.string(),
  credits: z.int(),
  status: z.enum(REQUEST_STATUSES),
  reason: z.string().nullable(),
  requested_by: z.string(),
  decided_by: z.string().nullable(),
  created_at: z.string(),
  expires_at: z.string(),
});

export function approvalOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { purchaseRequests: requests } = store;

  function pending(id: string, { organisation, at }: Caller): PurchaseRequest {
    const request = found(requests.find(organisation, id), 'request', id);
    if (request.status !== 'pending') {
      throw new ProblemError('conflict', `Request ${id} is ${request.status} already.`);
    }
    if (request.expires_at > at.toISOString()) return request;
    throw new ProblemError('conflict', `Request ${id} has expired; create another.`);
  }

  return [
    declare(shop, {
      name: 'billing.approvals.request',
      title: 'Request Credit Purchase',
      description:
        'Requests a purchase of credits, which another member must approve. Nothing is charged.',
      input: z.object({
        credits: z.int().min(LEAST_TOPUP).max(MOST_TOPUP).describe('How many credits to buy'),
        expiry_hours: z.int().min(1).max(720).default(72).describe('How long the request is valid'),
      }),
      output: IdOut,
      effect: creates('purchase request', account),
      scopes: write,
      run: ({ credits, expiry_hours }, caller) => {
        const expiresAt = new Date(caller.at.getTime() + expiry_hours * 3_600_000);
        return { id: requests.create(caller, credits, expiresAt).id };
      },
    }),

    declare(shop, {
      name: 'billing.approvals.approve',
      title: 'Approve Credit Purchase',
      description:
        'Approves a request that somebody else made, and charges the card on file for it. There is no estimate: billing.approvals.get returns the credits, one Australian dollar for each hundred.',
      input: z.object({ approval_id: approvalId }),
      output: IdOut,
      effect: spends('AUD', paid),
      scopes: write,
      run: async ({ approval_id: id }, caller) => {
        const request = found(requests.find(caller.organisation, id), 'request', id);
        if (request.requested_by === caller.user) {
          throw new ProblemError('forbidden', 'You cannot approve your own request.');
        }
        // The request is the intention: it is paid once, whoever approves it and under whichever key.
        if (request.status === 'approved') return { id };
        const { credits } = pending(id, caller);
        const card = store.topups.cardOf(caller.organisation);
        await pay(shop, caller, { key: `approval ${id}`, credits, card });
        requests.decide(caller, id, 'approved', null);
        return { id };
      },
    }),

    declare(shop, {
      name: 'billing.approvals.reject',
      title: 'Reject Credit Purchase',
      description: 'Rejects a request. Nothing is charged.',
      input: z.object({
        approval_id: approvalId,
        reason: z.string().max(500).optional().describe('The reason, shown to the requester'),
      }),
      output: IdOut,
      effect: sets('purchase rejection', { ...account, ...final }),
      scopes: write,
      run: ({ approval_id: id, reason }, caller) => {
        const request = found(requests.find(caller.organisation, id), 'request', id);
        if (request.status === 'rejected') return { id };
        pending(id, caller);
        requests.decide(caller, id, 'rejected', reason ?? null);
        return { id };
      },
    }),

    declare(shop, {
      name: 'billing.approvals.get',
      title: 'Get Purchase Request',
      description: 'Returns one request to buy credits.',
      input: z.object({ approval_id: approvalId }),
      output: RequestOut,
      effect: reads('purchase request', account),
      scopes: read,
      run: ({ approval_id }, { organisation }) =>
        found(requests.find(organisation, approval_id), 'request', approval_id),
    }),

    declare(shop, {
      name: 'billing.approvals.list',
      title: 'List Purchase Requests',
      description: 'Lists requests to buy credits, newest first.',
      input: z.object({
        status: z.enum(REQUEST_STATUSES).optional().describe('Only requests in this state'),
      }),
      output: z.object({ requests: z.array(RequestOut).readonly() }),
      effect: reads('purchase request', account),
      scopes: read,
      run: ({ status }, { organisation }) => ({ requests: requests.list(organisation, status) }),
    }),
  ];
}
