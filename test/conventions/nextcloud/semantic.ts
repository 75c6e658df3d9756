/** Nextcloud's search over its own index; hits are checked against the backend before they show. */
import type { Declaration } from 'plimsoll';
import { reads } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['semantic:read'];

export const semantic: readonly Declaration[] = [
  declare('nc_semantic_search', 'Semantic Search', reads('document', ownAccount), READ),
  declare(
    'nc_semantic_search_answer',
    'Search with AI-Generated Answer',
    reads('document', ownAccount),
    READ,
  ),
  declare(
    'nc_get_vector_sync_status',
    'Check Indexing Status',
    reads('index', { reach: 'own-store' }),
    READ,
  ),
];
