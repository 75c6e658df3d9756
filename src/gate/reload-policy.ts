/**
 * Lets a running gate take up a policy that a person has edited: when its file changes, and on SIGHUP. A
 * policy with errors is reported and the previous one stays in force. After a change, questions that were asked before it are
 * withdrawn, and calls that were not sent yet are decided on again.
 */
import { unwatchFile, watchFile } from 'node:fs';
import { toCanonicalJson } from '../lib/canonical-json.ts';
import type { JsonValue } from '../lib/json-value.ts';
import type { GateServices } from './gate-services.ts';
import type { Policy } from './policy/policy.ts';

const EVERY_MS = 1000;

interface PolicyReloadOptions {
  readonly services: GateServices;
  /** Reads the policy again; throws with what is wrong with it. */
  readonly load: () => Promise<Policy>;
  /** The files that it is read from. */
  readonly files: readonly string[];
  readonly report: (message: string, cause?: unknown) => void;
}

export function openPolicyReload({
  services,
  load,
  files,
  report,
}: PolicyReloadOptions): Disposable {
  let running = Promise.resolve();
  const reload = (): void => {
    running = running
      .then(load)
      .then((policy) => takeUp(policy, services, report))
      .catch((error: unknown) =>
        report('the policy was not reloaded; the previous one stays in force', error),
      );
  };
  for (const file of files) {
    // Polled: editors replace files, which a watch on the file itself does not survive.
    watchFile(file, { interval: EVERY_MS, persistent: false }, (now, before) => {
      if (now.mtimeMs !== before.mtimeMs && now.mtimeMs !== 0) reload();
    });
  }
  // At a terminal the signal means that it was closed, and the gate ends as it always did.
  const hears = files.length > 0 && !process.stderr.isTTY;
  if (hears) process.on('SIGHUP', reload);
  return {
    [Symbol.dispose]: () => {
      for (const file of files) unwatchFile(file);
      process.off('SIGHUP', reload);
    },
  };
}

async function takeUp(
  policy: Policy,
  services: GateServices,
  report: PolicyReloadOptions['report'],
): Promise<void> {
  const before = services.policy;
  if (policy.version === before.version) return;
  services.usePolicy(policy);
  report(`the policy was reloaded (version ${policy.version.slice(0, 8)})`);
  if (toFixed(policy) !== toFixed(before)) {
    report('restart the gate for changes of the mode, the servers and the webhook in the policy');
  }
  const pending = await services.approvals.listPending();
  const outdated = pending.filter(({ binding }) => binding.policy === before.version);
  for (const { id } of outdated) await services.approvals.withdraw(id, 'policy-reloaded');
}

/** What a gate reads from its policy only when it starts. */
function toFixed({ mode, servers, webhook }: Policy): string {
  return toCanonicalJson({ mode, servers, webhook: webhook ?? null } as unknown as JsonValue); // plain data
}
