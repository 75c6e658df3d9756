/**
 * What the shop serves over plain HTTP besides its operations: pages and files for whoever has a link,
 * and what no tool suits. Data; the handlers are in the other files of this folder.
 */
import type { Tier } from 'plimsoll/server';

export interface Endpoint {
  readonly method: 'GET' | 'POST';
  /** `{name}` is one segment. */
  readonly path: string;
  readonly summary: string;
  readonly tier: Tier;
  /** None: a secret in the address decides. */
  readonly scope?: string;
  readonly query?: readonly string[];
  /** The media type of its answer. */
  readonly answers: string;
  /** Its body is any JSON object. */
  readonly untyped?: true;
  /** A file, whatever its media type. */
  readonly isFile?: true;
  /** The tool or tools that agents use for the same purpose. */
  readonly instead: readonly string[];
}

const BINARY = 'application/octet-stream';

export const ENDPOINTS = Object.freeze({
  'items.tile.render': {
    method: 'GET',
    path: '/items/{item_id}/tiles/{z}/{x}/{y}',
    summary: 'A map tile of an item',
    tier: 'read',
    scope: 'items:read',
    answers: 'image/png',
    instead: ['items.get', 'analytics.band_math'],
  },
  'items.thumbnail': {
    method: 'GET',
    path: '/items/{item_id}/thumbnail',
    summary: 'A small picture of an item',
    tier: 'read',
    scope: 'items:read',
    answers: 'image/png',
    instead: ['items.get'],
  },
  'share.tile.render': {
    method: 'GET',
    path: '/s/{token}/tiles/{item_id}/{z}/{x}/{y}',
    summary: 'A map tile of a shared item',
    tier: 'read',
    answers: 'image/png',
    instead: ['share.link.validate'],
  },
  'share.open': {
    method: 'GET',
    path: '/s/{token}',
    summary: 'What a share link leads to',
    tier: 'read',
    answers: 'text/html',
    instead: ['share.link.validate'],
  },
  'share.asset.download': {
    method: 'GET',
    path: '/s/{token}/assets/{asset_id}',
    summary: 'A file that a share link leads to',
    tier: 'share_export',
    answers: BINARY,
    instead: ['items.asset.download'],
  },
  'exports.download': {
    method: 'GET',
    path: '/exports/{secret}',
    summary: 'An exported file, once',
    tier: 'share_export',
    query: ['expires', 'signature'],
    answers: BINARY,
    instead: ['items.asset.download'],
  },
  'reports.generate': {
    method: 'GET',
    path: '/reports/usage',
    summary: 'Monthly usage as a spreadsheet',
    tier: 'read',
    scope: 'usage:read',
    query: ['organization_id', 'months'],
    answers: 'text/csv',
    isFile: true,
    instead: ['usage.history'],
  },
  'catalog.search_stream': {
    method: 'GET',
    path: '/catalog/search.ndjson',
    summary: 'All scenes of an archive, one in a line',
    tier: 'read',
    scope: 'catalog:read',
    query: ['host_name', 'datetime'],
    answers: 'application/x-ndjson',
    instead: ['catalog.search'],
  },
  'processing.jobs.watch': {
    method: 'GET',
    path: '/processing/jobs/events',
    summary: 'Jobs as they change, until all have ended',
    tier: 'read',
    scope: 'processing:read',
    answers: 'text/event-stream',
    instead: ['processing.jobs.list', 'processing.job.get'],
  },
  'billing.reconciliation.run': {
    method: 'POST',
    path: '/admin/billing/reconcile',
    summary: 'Compares reserved credits with open orders and jobs',
    tier: 'read',
    scope: 'admin:read',
    answers: 'application/json',
    instead: [],
  },
  'orders.deliver_due': {
    method: 'POST',
    path: '/cron/work',
    summary: 'Delivers orders and runs jobs that are due',
    tier: 'compute',
    scope: 'admin:write',
    answers: 'application/json',
    instead: [],
  },
  'items.bulk_delete': {
    method: 'POST',
    path: '/items/bulk-delete',
    summary: 'Deletes the items that a free-form selection names',
    tier: 'destructive',
    scope: 'items:write',
    answers: 'application/json',
    untyped: true,
    instead: ['items.delete'],
  },
  'processing.create_and_dispatch': {
    method: 'POST',
    path: '/processing/graphs',
    summary: 'Runs every step of a free-form processing graph',
    tier: 'external_spend',
    scope: 'processing:process',
    answers: 'application/json',
    untyped: true,
    instead: ['processing.execute'],
  },
} as const satisfies Readonly<Record<string, Endpoint>>);

export type EndpointId = keyof typeof ENDPOINTS;
