/** Recipes on SQLite, found through an index that `reindex` rebuilds; imports read a web page. */
import type { CookbookConfig, Recipe, RecipeFields, Recipes } from '../backend.ts';
import { readRecipePage } from '../recipe-page.ts';
import { conflict, found, invalid } from '../refuse.ts';
import { toMatch } from '../words.ts';
import type { Database } from '../../shared/database.ts';
import { Table } from './table.ts';

export const DEFAULT_CONFIG: CookbookConfig = Object.freeze({
  folder: 'Recipes',
  update_interval: 5,
  print_image: true,
});

/** Returns the text of a page that a user named. */
export type FetchPage = (url: string) => Promise<string>;

export function embeddedRecipes(db: Database, user: string, fetchPage: FetchPage): Recipes {
  const recipes = new Table<Recipe>(db, 'recipes', 'recipe', {
    json: ['ingredients', 'instructions', 'keywords'],
  });
  const index = (recipe: Recipe): Recipe => {
    const { id, name, description, ingredients, category, keywords } = recipe;
    const words = [name, description, ...ingredients, category, ...keywords].join(' ');
    db.run('DELETE FROM recipes_text WHERE rowid = :id', { id });
    db.run('INSERT INTO recipes_text (rowid, words) VALUES (:id, :words)', { id, words });
    return recipe;
  };
  const checkName = (name: string | undefined, id = 0): void => {
    if (name === undefined) return;
    const [other] = recipes.select(user, 'AND name = :name AND id <> :id', { name, id });
    if (other !== undefined) {
      throw conflict(`There is already a recipe "${name}", with id ${other.id}.`);
    }
  };
  const create = (fields: RecipeFields): Recipe =>
    db.atomically(() => {
      checkName(fields.name);
      return index(recipes.insert(user, fields));
    });
  return {
    list: async () => recipes.select(user, 'ORDER BY id'),
    search: async (query) => {
      const match = toMatch(query);
      if (match === '') return [];
      const rest =
        'AND id IN (SELECT rowid FROM recipes_text WHERE recipes_text MATCH :match) ORDER BY id';
      return recipes.select(user, rest, { match });
    },
    find: async (id) => recipes.find(user, id),
    create: async (fields) => create(fields),
    importFrom: async (url) => {
      const fields = readRecipePage(await fetchPage(url), url);
      if (fields === undefined)
        throw invalid('/url', 'There is no schema.org recipe on that page.');
      return create(fields);
    },
    update: async (id, changes) =>
      db.atomically(() => {
        checkName(changes.name, id);
        return index(found(recipes.update(user, id, changes), 'recipe', id));
      }),
    remove: async (id) =>
      db.atomically(() => {
        if (!recipes.remove(user, id)) return false;
        db.run('DELETE FROM recipes_text WHERE rowid = :id', { id });
        return true;
      }),
    setConfig: async (changes) =>
      db.atomically(() => {
        const row = db.get('SELECT cookbook_config FROM accounts WHERE user = :user', { user });
        const before = JSON.parse(String(row?.['cookbook_config'])) as CookbookConfig;
        const config = { ...before, ...changes };
        const sql = 'UPDATE accounts SET cookbook_config = :config WHERE user = :user';
        db.run(sql, { user, config: JSON.stringify(config) });
        return config;
      }),
    reindex: async () => db.atomically(() => recipes.select(user).map(index).length),
  };
}
