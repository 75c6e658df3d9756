/** The example servers pass the check of their own convention. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const COMMAND = fileURLToPath(new URL('../../bin/plimsoll', import.meta.url));

it.each([
  ['billing', 'epd', 67],
  ['groupware', 'nextcloud', 105],
])('%s has no finding in the profile %s', (name, profile, tools) => {
  const project = fileURLToPath(new URL(`../../examples/${name}`, import.meta.url));
  const args = ['check', project, '--profile', profile, '--fail-on', 'info'];
  const { stdout, status } = spawnSync(COMMAND, args, { encoding: 'utf8' });
  expect(stdout).toContain(`${tools} tools: 0 errors, 0 warnings, 0 for information`);
  expect(status).toBe(0);
});
