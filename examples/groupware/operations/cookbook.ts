/** Recipes: written by hand or imported from a web page, by category and keyword, with an index. */
import type { Operation } from 'plimsoll/server';
import { computes, creates, deletes, reads, sets, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { Recipe } from '../backend.ts';
import { splitKeywords } from '../recipe-page.ts';
import { found, given } from '../refuse.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { etag, id, maybe, Removed, text } from './parameters.ts';
import { recipeListOperations } from './recipe-lists.ts';

const READ = ['cookbook:read'];
const WRITE = ['cookbook:write'];

const RecipeOut = z.object({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  ingredients: z.array(z.string()),
  instructions: z.array(z.string()),
  url: z.string(),
  prep_time: z.string().nullable(),
  cook_time: z.string().nullable(),
  total_time: z.string().nullable(),
  recipe_yield: z.int(),
  category: z.string(),
  keywords: z.array(z.string()),
  etag,
});

const recipeId = id('recipe');
const name = text(200).min(1);
const lines = z.array(text(5000)).max(200);
const duration = text(40).regex(/^P/);

const recipeFields = {
  description: maybe(text(20_000)).describe('What it is'),
  ingredients: maybe(lines).describe('One ingredient in each line'),
  instructions: maybe(lines).describe('One step in each line'),
  url: maybe(text(2000)).describe('Where it comes from'),
  prep_time: maybe(duration).describe('Time to prepare, in ISO 8601: PT20M'),
  cook_time: maybe(duration).describe('Time to cook, in ISO 8601: PT1H'),
  total_time: maybe(duration).describe('Time in all, in ISO 8601: PT1H20M'),
  recipe_yield: maybe(z.int().min(1).max(1000)).describe('How many it serves'),
  category: maybe(text(200)).describe('Category: Soup'),
  keywords: maybe(text()).describe('Keywords, separated by commas'),
} as const;

export function cookbookOperations(groupware: Groupware): readonly Operation[] {
  return [
    declare(groupware, {
      name: 'nc_cookbook_import_recipe',
      title: 'Import Recipe from URL',
      description: 'Fetches a web page and saves the schema.org recipe that is on it.',
      input: z.object({ url: text(2000).min(1).describe('Address of the page') }),
      output: RecipeOut,
      // Fresh, because the page may hold another recipe by the second call.
      effect: creates('recipe', { reach: 'user-url', repeat: 'fresh' }),
      scopes: WRITE,
      produces: ['recipe'],
      run: async ({ url }, { recipes }) => toRecipeOut(await recipes.importFrom(url)),
    }),

    declare(groupware, {
      name: 'nc_cookbook_get_recipe',
      title: 'Get Recipe',
      description: 'Returns one recipe with its ingredients and instructions.',
      input: z.object({ recipe_id: recipeId }),
      output: RecipeOut,
      effect: reads('recipe', ownAccount),
      scopes: READ,
      run: async ({ recipe_id }, { recipes }) =>
        toRecipeOut(found(await recipes.find(recipe_id), 'recipe', recipe_id)),
    }),

    declare(groupware, {
      name: 'nc_cookbook_create_recipe',
      title: 'Create Recipe',
      description: 'Saves a recipe. A name that is taken is refused.',
      input: z.object({ name: name.describe('Name of the recipe'), ...recipeFields }),
      output: RecipeOut,
      effect: creates('recipe', { ...ownAccount, repeat: 'end-state' }),
      scopes: WRITE,
      produces: ['recipe'],
      run: async (input, { recipes }) =>
        toRecipeOut(
          await recipes.create({
            name: input.name,
            description: input.description ?? '',
            ingredients: input.ingredients ?? [],
            instructions: input.instructions ?? [],
            url: input.url ?? '',
            prep_time: input.prep_time ?? null,
            cook_time: input.cook_time ?? null,
            total_time: input.total_time ?? null,
            recipe_yield: input.recipe_yield ?? 1,
            category: input.category ?? '',
            keywords: splitKeywords(input.keywords ?? ''),
          }),
        ),
    }),

    declare(groupware, {
      name: 'nc_cookbook_update_recipe',
      title: 'Update Recipe',
      description:
        'Changes fields of a recipe; what is left out stays as it is. It takes no etag: the latest version is changed.',
      input: z.object({
        recipe_id: recipeId,
        name: maybe(name).describe('New name'),
        ...recipeFields,
      }),
      output: RecipeOut,
      effect: updates('recipe', ownAccount),
      scopes: WRITE,
      run: async ({ recipe_id, keywords, ...changes }, { recipes }) => {
        const words = keywords == null ? {} : { keywords: splitKeywords(keywords) };
        return toRecipeOut(await recipes.update(recipe_id, { ...given(changes), ...words }));
      },
    }),

    declare(groupware, {
      name: 'nc_cookbook_delete_recipe',
      title: 'Delete Recipe',
      description: 'Permanently deletes a recipe.',
      input: z.object({ recipe_id: recipeId }),
      output: Removed,
      effect: deletes('recipe', ownAccount),
      scopes: WRITE,
      run: async ({ recipe_id }, { recipes }) => ({ deleted: await recipes.remove(recipe_id) }),
    }),

    ...recipeListOperations(groupware),

    declare(groupware, {
      name: 'nc_cookbook_set_config',
      title: 'Set Cookbook Configuration',
      description: 'Sets the configuration of the cookbook; what is left out stays as it is.',
      input: z.object({
        folder: maybe(text(500).min(1)).describe('Directory of the recipes'),
        update_interval: maybe(z.int().min(1).max(10_000)).describe('Minutes between updates'),
        print_image: maybe(z.boolean()).describe('Whether to print pictures'),
      }),
      output: z.object({
        folder: z.string(),
        update_interval: z.int(),
        print_image: z.boolean(),
      }),
      effect: sets('cookbook configuration', ownAccount),
      scopes: WRITE,
      run: (input, { recipes }) => recipes.setConfig(given(input)),
    }),

    declare(groupware, {
      name: 'nc_cookbook_reindex',
      title: 'Reindex Recipes',
      description: 'Builds the search index of the recipes again.',
      input: z.object({}),
      output: z.object({ indexed: z.int().describe('How many recipes are in the index') }),
      effect: computes('recipe index', ownAccount),
      scopes: WRITE,
      run: async (_, { recipes }) => ({ indexed: await recipes.reindex() }),
    }),
  ];
}

function toRecipeOut(recipe: Recipe): z.infer<typeof RecipeOut> {
  const { ingredients, instructions, keywords, ...rest } = recipe;
  return {
    ...rest,
    ingredients: [...ingredients],
    instructions: [...instructions],
    keywords: [...keywords],
  };
}
