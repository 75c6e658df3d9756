/** The parts of the code that are mutated, each with the tests that its mutants must fail. */

export interface MutationPart {
  readonly mutate: readonly string[];
  readonly tests: readonly string[];
}

/** The part is passed to Stryker and to Vitest, which read their own configurations. */
export const PART_VARIABLE = 'PLIMSOLL_MUTATION_PART';

const NO_TESTS = '!src/**/*.test.ts';

export const MUTATION_PARTS: Readonly<Record<string, MutationPart>> = Object.freeze({
  'key-records': {
    mutate: ['src/ledger/idempotency/key-record-machine.ts'],
    tests: ['src/ledger/idempotency/key-record-machine.test.ts'],
  },
  budgets: {
    mutate: ['src/gate/call/budgets.ts'],
    tests: ['src/gate/call/budgets.test.ts'],
  },
  'approval-machine': {
    mutate: ['src/gate/approvals/{approval-machine,approval,binding,seal}.ts'],
    tests: ['src/gate/approvals/{approval-machine,approval,seal}.test.ts'],
  },
  approvals: {
    mutate: [
      'src/gate/approvals/*.ts',
      '!src/gate/approvals/{approval-machine,approval,binding,seal}.ts',
      NO_TESTS,
    ],
    tests: ['src/gate/approvals/*.test.ts'],
  },
  narrowing: {
    mutate: ['src/effect/{narrow-effect,combine-effects,repeat}.ts'],
    tests: [
      'src/effect/{narrow-effect,combine-effects,repeat,several-acts,define-operation}.test.ts',
    ],
  },
  conventions: {
    mutate: ['src/effect/conventions/*.ts', NO_TESTS],
    tests: ['src/effect/conventions/*.test.ts', 'test/conventions/*.test.ts'],
  },
  effect: {
    mutate: ['src/effect/*.ts', '!src/effect/{narrow-effect,combine-effects,repeat}.ts', NO_TESTS],
    tests: ['src/effect/*.test.ts', 'src/effect/conventions/*.test.ts'],
  },
  inference: {
    mutate: ['src/effect/infer/*.ts', NO_TESTS],
    tests: ['src/effect/infer/*.test.ts'],
  },
});

/** All of them, unless one was chosen. */
export function chosenPart(): MutationPart {
  const part = MUTATION_PARTS[process.env[PART_VARIABLE] ?? ''];
  const parts = part === undefined ? Object.values(MUTATION_PARTS) : [part];
  return {
    mutate: parts.flatMap(({ mutate }) => mutate),
    tests: parts.flatMap(({ tests }) => tests),
  };
}
