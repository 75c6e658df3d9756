/**
 * Parameters that are executed or are paths, and that accept any text. Whether the tool may run code at
 * all is up to the truth rules.
 */
import type { ListedParameter, JsonObject } from '../../tool-schema.ts';
import { listParameters, toJsonObject } from '../../tool-schema.ts';
import { quote } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';
import { toWords } from '../../../effect/infer/to-words.ts';

interface Power {
  readonly detail: string;
  readonly key: RegExp;
  /** For ambiguous keys: what the description must say. */
  readonly said?: RegExp;
  /** What it must not say. */
  readonly unset?: RegExp;
  readonly message: string;
}

const POWERS: readonly Power[] = [
  {
    detail: 'shell',
    key: /^(?:(?:shell_|bash_)?(?:command|cmd|command_line)|shell|bash)$/,
    message: 'is run as a shell command',
  },
  {
    detail: 'sql',
    key: /^(?:sql|(?:raw_)?sql_(?:query|statement|command)|raw_sql)$/,
    message: 'is run as SQL',
  },
  {
    detail: 'sql',
    key: /^(?:query|queries|statement)$/,
    said: /\b(?:sql|select statement)\b/i,
    message: 'is run as SQL',
  },
  {
    detail: 'code',
    key: /^(?:(?:python|js|javascript|source)_code|javascript|script|eval)$/,
    message: 'is run as code',
  },
  {
    detail: 'code',
    key: /^(?:code|expression|function|snippet)$/,
    said: /\b(?:run|execut|evaluat|eval)\w*\b/i,
    message: 'is run as code',
  },
  {
    detail: 'path',
    key: /^(?:(?:file|dir|directory|folder|source|destination|target|output|input)_?path|filepath|path|filename|file_name|directory|cwd|working_(?:directory|dir))$/,
    said: /\b(?:files?|director(?:y|ies)|folders?|filesystem|disk)\b/i,
    unset: /\b(?:repo|repository|url|api|bucket|branch)\b/i,
    message: 'is a path in a file system',
  },
];

const BOUNDS = ['enum', 'const', 'pattern', 'maxLength', 'format'];

export const rule: Rule = {
  id: 'free-text-power',
  category: 'security',
  severity: 'info',
  summary: 'A shell, SQL, code or path parameter takes any text.',
  cost: 'Anything that can influence one argument of the model, such as a web page, can influence this one.',
  profiles: { strict: 'warning' },
  codes: {
    'free-text-power/shell': 'A shell command without enum, pattern or maxLength.',
    'free-text-power/sql': 'SQL without enum, pattern or maxLength.',
    'free-text-power/code': 'Code without enum, pattern or maxLength.',
    'free-text-power/path': 'A path without enum, pattern or maxLength.',
  },
  checkTool: ({ raw, pointer }) =>
    listParameters(raw, pointer).flatMap((parameter): readonly Draft[] => {
      const power = powerOf(parameter);
      if (power === undefined || !takesAnyText(parameter.schema)) return [];
      return [
        {
          code: `free-text-power/${power.detail}`,
          pointer: parameter.pointer,
          message: `${quote(parameter.name)} ${power.message} and takes any text; bound it by enum, pattern or maxLength.`,
        },
      ];
    }),
};

function powerOf({ name, description = '' }: ListedParameter): Power | undefined {
  const key = toWords(name.slice(0, 100)).join('_');
  const text = description.slice(0, 2000);
  return POWERS.find(
    ({ key: pattern, said, unset }) =>
      pattern.test(key) && said?.test(text) !== false && unset?.test(text) !== true,
  );
}

function takesAnyText(schema: JsonObject): boolean {
  const { type, anyOf } = schema;
  const options: readonly unknown[] = Array.isArray(anyOf) ? anyOf : [];
  const isText = type === 'string' || (Array.isArray(type) && type.includes('string'));
  if (BOUNDS.some((bound) => schema[bound] !== undefined)) return false;
  return isText || options.some((option) => takesAnyText(withoutOptions(option)));
}

/** One level is enough: an optional string is `anyOf` string and null. */
function withoutOptions(option: unknown): JsonObject {
  const { anyOf: _, ...rest } = toJsonObject(option) ?? {};
  return rest;
}
