/** The cookbook app over its REST API, version 1. Its recipes are schema.org objects. */
import * as z from 'zod';
import type { CookbookConfig, Recipe, RecipeFields, Recipes } from '../backend.ts';
import { splitKeywords } from '../recipe-page.ts';
import { found } from '../refuse.ts';
import type { GroupwareClient } from './client.ts';
import { orMissing, wasThere } from './rest.ts';

const text = z.string().nullish();
const RawRecipe = z.object({
  id: z.coerce.number(),
  name: z.string(),
  description: text,
  recipeIngredient: z.array(z.string()).nullish(),
  recipeInstructions: z.array(z.string()).nullish(),
  url: text,
  prepTime: text,
  cookTime: text,
  totalTime: text,
  recipeYield: z.coerce.number().nullish(),
  recipeCategory: text,
  keywords: text,
  dateModified: text,
});
const Stub = z.object({
  recipe_id: z.coerce.number().optional(),
  id: z.coerce.number().optional(),
});

export function restRecipes(client: GroupwareClient, base: string): Recipes {
  const api = `${base}/apps/cookbook/api/v1`;
  const find = async (id: number): Promise<Recipe | undefined> => {
    const raw = await orMissing(client.json('GET', `${api}/recipes/${id}`));
    return raw === undefined ? undefined : toRecipe(raw);
  };
  const mustFind = async (id: number): Promise<Recipe> => found(await find(id), 'recipe', id);
  /** Lists are stubs without keywords and ingredients. */
  const fill = async (answer: unknown): Promise<readonly Recipe[]> => {
    const stubs = z.array(Stub).parse(answer);
    return Promise.all(stubs.map(({ recipe_id, id }) => mustFind(recipe_id ?? id ?? 0)));
  };
  return {
    list: async () => fill(await client.json('GET', `${api}/recipes`)),
    search: async (query) =>
      fill(await client.json('GET', `${api}/search/${encodeURIComponent(query)}`)),
    find,
    create: async (fields) => {
      const id = await client.json('POST', `${api}/recipes`, toRaw(fields));
      return mustFind(z.coerce.number().parse(id));
    },
    importFrom: async (url) => toRecipe(await client.json('POST', `${api}/import`, { url })),
    update: async (id, changes) => {
      const { etag, ...before } = await mustFind(id);
      void etag;
      await client.json('PUT', `${api}/recipes/${id}`, { ...toRaw({ ...before, ...changes }), id });
      return mustFind(id);
    },
    remove: (id) => wasThere(client.json('DELETE', `${api}/recipes/${id}`)),
    setConfig: async (changes) => {
      await client.json('POST', `${api}/config`, changes);
      return readConfig(await client.json('GET', `${api}/config`));
    },
    reindex: async () => {
      await client.json('POST', `${api}/reindex`);
      return z.array(z.unknown()).parse(await client.json('GET', `${api}/recipes`)).length;
    },
  };
}

function toRecipe(raw: unknown): Recipe {
  const recipe = RawRecipe.parse(raw);
  return {
    id: recipe.id,
    name: recipe.name,
    description: recipe.description ?? '',
    ingredients: recipe.recipeIngredient ?? [],
    instructions: recipe.recipeInstructions ?? [],
    url: recipe.url ?? '',
    prep_time: recipe.prepTime ?? null,
    cook_time: recipe.cookTime ?? null,
    total_time: recipe.totalTime ?? null,
    recipe_yield: recipe.recipeYield ?? 1,
    category: recipe.recipeCategory ?? '',
    keywords: splitKeywords(recipe.keywords ?? ''),
    etag: recipe.dateModified ?? '',
  };
}

function toRaw(fields: RecipeFields): object {
  return {
    '@type': 'Recipe',
    name: fields.name,
    description: fields.description,
    recipeIngredient: fields.ingredients,
    recipeInstructions: fields.instructions,
    url: fields.url,
    prepTime: fields.prep_time,
    cookTime: fields.cook_time,
    totalTime: fields.total_time,
    recipeYield: fields.recipe_yield,
    recipeCategory: fields.category,
    keywords: fields.keywords.join(','),
  };
}

function readConfig(raw: unknown): CookbookConfig {
  return z
    .object({ folder: z.string(), update_interval: z.coerce.number(), print_image: z.boolean() })
    .parse(raw);
}
