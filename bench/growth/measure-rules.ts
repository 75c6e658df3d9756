/** Deciding about a call under a policy that grows. */
import { inferEffect } from '../../src/effect/infer/infer-effect.ts';
import { decide } from '../../src/gate/policy/decide.ts';
import { readPolicy } from '../../src/gate/policy/read-policy.ts';
import type { CallFacts } from '../../src/gate/policy/verdict.ts';
import { print } from './cost.ts';

/** The rule that fits is the last. */
export function measureRules(): void {
  const { effect, confidence, reasons } = inferEffect({ name: 'get_invoice' });
  const facts: CallFacts = {
    server: 'invoices',
    trusted: false,
    tool: 'get_invoice',
    effect,
    confidence,
    reasons,
    principal: { id: 'mia', scopes: [] },
    mode: 'live',
    arguments: { invoice_id: 'INV-1' },
    quarantined: false,
    declared: true,
    repeated: false,
  };
  print('rules', 'decide µs');
  for (const count of [10, 100, 1000]) {
    const rules = Array.from({ length: count }, (_, index) => {
      const tool = index === count - 1 ? 'get_invoice' : `tool_${index}`;
      return `{ name: rule-${index}, match: { tool: ${tool} }, then: allow }`;
    });
    const reading = readPolicy(`rules: [${rules.join(', ')}]`);
    if (reading.kind === 'faults') throw new Error(JSON.stringify(reading.faults));
    const { policy } = reading;
    decide(policy, facts);
    const before = process.cpuUsage();
    const times = 200_000 / count;
    for (let time = 0; time < times; time += 1) decide(policy, facts);
    const { user, system } = process.cpuUsage(before);
    print(String(count), (user + system) / times);
  }
}
