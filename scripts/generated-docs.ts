/** The pages and parts of pages that are generated from tables in the code. */
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Convention } from '../src/effect/convention.ts';
import { closient } from '../src/effect/conventions/closient.ts';
import { epd } from '../src/effect/conventions/epd.ts';
import { geopera } from '../src/effect/conventions/geopera.ts';
import { nextcloud } from '../src/effect/conventions/nextcloud.ts';
import { plimsoll } from '../src/effect/conventions/plimsoll.ts';
import { CALL_META_KEYS, META_KEYS } from '../src/effect/meta-keys.ts';
import { TIER_NAMES, TIERS } from '../src/effect/tier.ts';
import { RULES } from '../src/check/rules/index.ts';
import { toSourceTable } from '../src/check/hosts/host-table.ts';
import { toModuleTables } from '../examples/groupware/module-tables.ts';
import { fillMarkers } from '../src/cli/docs.ts';
import { PROBLEMS } from '../src/lib/problem-catalog.ts';
import { projectOpenApi } from '../src/serve/openapi-in/project-openapi.ts';
import { OVERLAY, toWebDocument } from '../examples/imagery/web/document.ts';
import type { Endpoint } from '../examples/imagery/web/endpoints.ts';
import { ENDPOINTS } from '../examples/imagery/web/endpoints.ts';

const CONVENTIONS: readonly Convention[] = [closient, geopera, nextcloud, epd, plimsoll];

/** Path to whole content. */
export function generatedDocs(): Readonly<Record<string, string>> {
  return {
    'examples/groupware/README.md': filled('examples/groupware/README.md', {
      modules: toModuleTables(),
    }),
    'docs/errors.md': errorsPage(),
    'docs/meta-keys.md': metaKeysPage(),
    'docs/rules.md': rulesPage(),
    'docs/conventions.md': filled('docs/conventions.md', { exceptions: exceptionsTable() }),
    'docs/hosts-and-hints.md': filled('docs/hosts-and-hints.md', {
      'host-sources': toSourceTable(),
    }),
    'docs/threat-model.md': filled('docs/threat-model.md', { attacks: attacksTable() }),
    'docs/tiers.md': filled('docs/tiers.md', { tiers: tiersTable() }),
    'examples/imagery/README.md': filled('examples/imagery/README.md', {
      'no-tools': noToolsTable(),
    }),
  };
}

function errorsPage(): string {
  const rows = Object.entries(PROBLEMS).map(
    ([code, { status, title, remedy, key }]) =>
      `| \`${code}\` | ${status} | ${title} | ${remedy} | ${key} |`,
  );
  return `# Problems

Generated in the repository from \`src/lib/problem-catalog.ts\` by \`npm run generate\`.

Every refusal and failure is an RFC 9457 problem: \`type\`, \`title\`, \`status\`, \`detail\`, and beside
them \`code\` (stable, for programs) and \`remedy\` (what to do next: as below, or more exactly for the
case). Some carry more: \`errors\` with JSON pointers into the arguments, \`missing\` scopes,
\`retryAfter\` in seconds, \`limit\` in bytes, and a \`reference\` that finds the cause in the server's log.

- Over \`POST /op/{name}\` the problem is the body, as \`application/problem+json\`, with its status.
- Over MCP, a call that was refused or failed is a result with \`isError: true\` and the problem in \`_meta\`
  as \`dev.plimsoll/problem\`, and as \`structuredContent\` too where the tool has no output schema. An unknown tool is the
  JSON-RPC error \`-32602\`, with the problem as \`data\`.
- What stops a request before it is a call (bad JSON, a body too large, a wrong Host, a missing or bad
  token over HTTP) has the HTTP status below; on the MCP endpoint its body is a JSON-RPC error with the
  problem as \`data\`. A 401 carries \`WWW-Authenticate\`, so that clients can begin their sign-in.

The last column says what becomes of an idempotency key when an operation fails with the problem. \`kept\`:
the refusal is final for this key and is replayed; under a key that is derived from the arguments it is freed
all the same, since the caller has no other. \`freed\`: nothing was done and it may work later, so the same key runs
again. \`doubt\`: it may have been done: [Idempotency](idempotency.md#what-comes-back).

| Code | Status | What happened | What to do | Key |
| --- | --- | --- | --- | --- |
${rows.join('\n')}
`;
}

function metaKeysPage(): string {
  const rows = Object.entries(META_KEYS).map(([field, { key, value, meaning }]) => {
    const conventions = CONVENTIONS.filter((convention) =>
      (convention.meta as readonly string[]).includes(field),
    );
    return `| \`${key}\` | ${value} | ${meaning} | ${conventions.map(({ name }) => name).join(', ')} |`;
  });
  const calls = Object.values(CALL_META_KEYS).map(
    ({ key, value, meaning }) => `| \`${key}\` | ${value} | ${meaning} |`,
  );
  return `# \`_meta\` keys

Generated in the repository from \`src/effect/meta-keys.ts\` by \`npm run generate\`.

Clients drop annotation fields that they do not know, so everything beyond the four hints and the title
travels in a tool's \`_meta\`. A convention says which keys it writes.

| Key | Value | Meaning | Conventions that write it |
| --- | --- | --- | --- |
${rows.join('\n')}

And beside calls and results, on every convention:

| Key | Value | Meaning |
| --- | --- | --- |
${calls.join('\n')}
`;
}

/** The pages beside the rules, which the package does not have, one level down. */
function rulesPage(): string {
  const ids = RULES.map(({ id }) => id).toSorted();
  const rows = ids.map((id) => {
    const summary = RULES.find((rule) => rule.id === id)?.summary ?? '';
    return `| [\`${id}\`](#${id}) | ${summary} |`;
  });
  const pages = ids.map((id) =>
    readFileSync(`src/check/rules/${id}/rule.md`, 'utf8').trim().replaceAll(/^#+ /gm, '#$&'),
  );
  return `# Rules of the check

Generated by \`npm run generate\` from the \`rule.md\` beside each rule, in the repository. [Check](check.md) says how
to run the rules, choose their severities and ignore findings.

| Rule | What it finds |
| --- | --- |
${rows.join('\n')}

${pages.join('\n\n')}
`;
}

function exceptionsTable(): string {
  const rows = CONVENTIONS.flatMap(({ name, exceptions }) =>
    exceptions.map(({ operation, hints, reason }) => {
      const said = Object.entries(hints).map(([hint, value]) =>
        value === 'omit' ? `\`${hint}\` not sent` : `\`${hint}: ${String(value)}\``,
      );
      return `| ${name} | \`${operation}\` | ${said.join(', ')} | ${reason} |`;
    }),
  );
  return ['| Convention | Tool | Sent | Reason |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function tiersTable(): string {
  const yes = (value: boolean): string => (value ? 'yes' : 'no');
  const rows = TIER_NAMES.map((name) => {
    const { meaning, asks, retries, caches, budgets } = TIERS[name];
    return `| \`${name}\` | ${meaning} | ${yes(asks)} | ${retries} | ${yes(caches)} | ${yes(budgets)} |`;
  });
  const head = '| Tier | Meaning | Asks a person | Retries | May be cached | Has a budget |';
  return [head, '| --- | --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** What the shop serves besides its operations, as `plimsoll project --explain` tells it. */
function noToolsTable(): string {
  const baseUrl = 'http://127.0.0.1';
  const { excluded } = projectOpenApi(toWebDocument(), { baseUrl, overlay: OVERLAY });
  const endpoints = new Map<string, Endpoint>(Object.entries(ENDPOINTS));
  const rows = excluded.map(({ operation, endpoint, code, sentence }) => {
    const instead = endpoints.get(operation)?.instead.map((name) => `\`${name}\``) ?? [];
    return `| \`${operation}\` | \`${endpoint}\` | \`${code}\` | ${sentence} | ${instead.join(', ') || '—'} |`;
  });
  const head = '| Operation | Endpoint | Kind | Why it is no tool | Tool instead |';
  return [head, '| --- | --- | --- | --- | --- |', ...rows].join('\n');
}

/** `attack(who, what`, with the store that it is repeated on left out. */
const ATTACK = /\battack\(\s*'([^']+)',\s*(['"`])((?:(?!\2)[^\\]|\\.)*)\2/g;

function attacksTable(): string {
  const rows = globSync('test/attacks/*.test.ts')
    .toSorted()
    .flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(ATTACK)].map(([, who, , what = '']) => {
        const text = what.replaceAll(/ \(\$\{\w+\}\)/g, '').replaceAll(/\\(.)/g, '$1');
        return `| ${who} | ${text.replaceAll('|', '\\|')} | \`${basename(path, '.test.ts')}\` |`;
      }),
    );
  return ['| Who | What they would win | Tests |', '| --- | --- | --- |', ...rows.toSorted()].join(
    '\n',
  );
}

function filled(path: string, parts: Readonly<Record<string, string>>): string {
  const page = fillMarkers(readFileSync(path, 'utf8'), parts);
  if (page === undefined) throw new Error(`${path} has lost its markers`);
  return page;
}
