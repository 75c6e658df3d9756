/** Nextcloud's recipe tools. */
import type { Declaration } from 'plimsoll';
import { computes, creates, deletes, reads, sets, updates } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['cookbook:read'];
const WRITE = ['cookbook:write'];

export const cookbook: readonly Declaration[] = [
  declare(
    'nc_cookbook_import_recipe',
    'Import Recipe from URL',
    // Fresh, because the page at the URL may hold another recipe by the second call.
    creates('recipe', { reach: 'user-url', repeat: 'fresh' }),
    WRITE,
  ),
  declare('nc_cookbook_list_recipes', 'List Recipes', reads('recipe', ownAccount), READ),
  declare('nc_cookbook_get_recipe', 'Get Recipe', reads('recipe', ownAccount), READ),
  declare(
    'nc_cookbook_create_recipe',
    'Create Recipe',
    // A recipe of the same name is refused.
    creates('recipe', { ...ownAccount, repeat: 'end-state' }),
    WRITE,
  ),
  declare('nc_cookbook_update_recipe', 'Update Recipe', updates('recipe', ownAccount), WRITE),
  declare('nc_cookbook_delete_recipe', 'Delete Recipe', deletes('recipe', ownAccount), WRITE),
  declare('nc_cookbook_search_recipes', 'Search Recipes', reads('recipe', ownAccount), READ),
  declare(
    'nc_cookbook_list_categories',
    'List Recipe Categories',
    reads('recipe category', ownAccount),
    READ,
  ),
  declare(
    'nc_cookbook_get_recipes_in_category',
    'Get Recipes in Category',
    reads('recipe', ownAccount),
    READ,
  ),
  declare(
    'nc_cookbook_list_keywords',
    'List Recipe Keywords',
    reads('recipe keyword', ownAccount),
    READ,
  ),
  declare(
    'nc_cookbook_get_recipes_with_keywords',
    'Get Recipes with Keywords',
    reads('recipe', ownAccount),
    READ,
  ),
  declare(
    'nc_cookbook_set_config',
    'Set Cookbook Configuration',
    sets('cookbook configuration', ownAccount),
    WRITE,
  ),
  declare('nc_cookbook_reindex', 'Reindex Recipes', computes('recipe index', ownAccount), WRITE),
];
