/** The ways to list recipes: all, by words, by category and by keyword. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import type { Recipe } from '../backend.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { text } from './parameters.ts';

const scopes = ['cookbook:read'];

const Recipes = z.object({
  recipes: z.array(
    z.object({
      id: z.int(),
      name: z.string(),
      category: z.string(),
      keywords: z.array(z.string()),
    }),
  ),
});
const Counts = z.object({
  items: z.array(z.object({ name: z.string(), recipe_count: z.int() })),
});

export function recipeListOperations(groupware: Groupware): readonly Operation[] {
  const lists = { output: Recipes, effect: reads('recipe', ownAccount), scopes };
  return [
    declare(groupware, {
      ...lists,
      name: 'nc_cookbook_list_recipes',
      title: 'List Recipes',
      description: 'Lists all recipes. nc_cookbook_get_recipe returns a whole one.',
      input: z.object({}),
      run: async (_, { recipes }) => toList(await recipes.list()),
    }),

    declare(groupware, {
      ...lists,
      name: 'nc_cookbook_search_recipes',
      title: 'Search Recipes',
      description: 'Finds recipes by words in their name, description, ingredients or keywords.',
      input: z.object({ query: text().min(1).describe('Words, or beginnings of words') }),
      run: async ({ query }, { recipes }) => toList(await recipes.search(query)),
    }),

    declare(groupware, {
      name: 'nc_cookbook_list_categories',
      title: 'List Recipe Categories',
      description: 'Lists the categories with the number of their recipes.',
      input: z.object({}),
      output: Counts,
      effect: reads('recipe category', ownAccount),
      scopes,
      run: async (_, { recipes }) => count((await recipes.list()).map(({ category }) => category)),
    }),

    declare(groupware, {
      ...lists,
      name: 'nc_cookbook_get_recipes_in_category',
      title: 'Get Recipes in Category',
      description: 'Lists the recipes of one category.',
      input: z.object({ category: text(200).describe('Category; empty for recipes without one') }),
      run: async (input, { recipes }) =>
        toList((await recipes.list()).filter(({ category }) => category === input.category)),
    }),

    declare(groupware, {
      name: 'nc_cookbook_list_keywords',
      title: 'List Recipe Keywords',
      description: 'Lists the keywords with the number of their recipes.',
      input: z.object({}),
      output: Counts,
      effect: reads('recipe keyword', ownAccount),
      scopes,
      run: async (_, { recipes }) =>
        count((await recipes.list()).flatMap(({ keywords }) => keywords)),
    }),

    declare(groupware, {
      ...lists,
      name: 'nc_cookbook_get_recipes_with_keywords',
      title: 'Get Recipes with Keywords',
      description: 'Lists the recipes that have all of the given keywords.',
      input: z.object({
        keywords: z.array(text(200)).min(1).max(50).describe('Keywords that a recipe must have'),
      }),
      run: async (input, { recipes }) =>
        toList(
          (await recipes.list()).filter(({ keywords }) =>
            input.keywords.every((wanted) => keywords.includes(wanted)),
          ),
        ),
    }),
  ];
}

function toList(recipes: readonly Recipe[]): z.infer<typeof Recipes> {
  return {
    recipes: recipes.map(({ id, name, category, keywords }) => ({
      id,
      name,
      category,
      keywords: [...keywords],
    })),
  };
}

function count(names: readonly string[]): z.infer<typeof Counts> {
  const counts = Map.groupBy(names, (name) => name);
  const items = [...counts].map(([name, all]) => ({ name, recipe_count: all.length }));
  return { items: items.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}
