/** The recipe on a web page, from its schema.org data. Fetches nothing. */
import type { RecipeFields } from './backend.ts';

const SCRIPT = /<script[^>]*type=["']?application\/ld\+json["']?[^>]*>([^]*?)<\/script>/gi;

/** `undefined` when the page has no recipe that can be read. */
export function readRecipePage(page: string, url: string): RecipeFields | undefined {
  for (const [, json = ''] of page.matchAll(SCRIPT)) {
    const recipe = findRecipe(parse(json));
    if (recipe !== undefined) return toFields(recipe, url);
  }
  return undefined;
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

type Json = Readonly<Record<string, unknown>>;

/** In the object itself, in a list, or in an `@graph`. */
function findRecipe(value: unknown): Json | undefined {
  if (Array.isArray(value)) {
    return value.map(findRecipe).find((each) => each !== undefined);
  }
  if (typeof value !== 'object' || value === null) return undefined;
  const object = value as Json;
  if (toList(object['@type']).includes('Recipe')) return object;
  return findRecipe(object['@graph']);
}

function toFields(recipe: Json, url: string): RecipeFields | undefined {
  const name = toText(recipe['name']);
  if (name === '') return undefined;
  return {
    name,
    description: toText(recipe['description']),
    ingredients: toList(recipe['recipeIngredient']),
    instructions: toSteps(recipe['recipeInstructions']),
    url,
    prep_time: toText(recipe['prepTime']) || null,
    cook_time: toText(recipe['cookTime']) || null,
    total_time: toText(recipe['totalTime']) || null,
    recipe_yield: Number.parseInt(toList(recipe['recipeYield'])[0] ?? '', 10) || 1,
    category: toList(recipe['recipeCategory'])[0] ?? '',
    keywords: toList(recipe['keywords']).flatMap(splitKeywords),
  };
}

export function splitKeywords(text: string): readonly string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}

/** Steps are texts, or objects with a text, or sections of such. */
function toSteps(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(toSteps);
  if (typeof value === 'object' && value !== null) {
    const { text, itemListElement } = value as Json;
    return itemListElement === undefined ? toList(text) : toSteps(itemListElement);
  }
  return toList(value);
}

function toList(value: unknown): readonly string[] {
  const values: readonly unknown[] = Array.isArray(value) ? value : [value];
  return values.map(toText).filter((text) => text !== '');
}

function toText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
