/**
 * Exhaustive breadth-first search of a model: every state once, and the shortest way to the first
 * fault that is watched for. Knows nothing of what is modelled.
 */

export interface Step<S> {
  readonly label: string;
  readonly next: S;
  /** What is wrong with taking this step at all. */
  readonly fault?: string | undefined;
  /** Something worth knowing to be reachable. */
  readonly mark?: string | undefined;
}

export interface Model<S> {
  readonly initial: S;
  /** Equal for states that no step can ever tell apart. */
  readonly key: (state: S) => string;
  readonly steps: (state: S) => readonly Step<S>[];
  /** What is wrong with a state, or with having come to it from another. */
  readonly faults: (before: S, after: S) => readonly string[];
}

export interface Finding {
  readonly states: number;
  readonly transitions: number;
  readonly marks: ReadonlySet<string>;
  readonly counterexample?: Counterexample;
}

interface Counterexample {
  readonly fault: string;
  readonly steps: readonly string[];
}

export interface SearchOptions {
  /** The faults to stop at. Default: all. */
  readonly watch?: readonly string[];
  /** More states than this is a mistake in the model, not a result. */
  readonly mostStates?: number;
}

/** How a state was first come to. */
interface Trail {
  readonly label: string;
  readonly from: Trail | undefined;
}

export function search<S>(model: Model<S>, options: SearchOptions = {}): Finding {
  const { watch, mostStates = 2_000_000 } = options;
  const known = new Set([model.key(model.initial)]);
  const marks = new Set<string>();
  let transitions = 0;
  let frontier: (readonly [state: S, trail: Trail | undefined])[] = [[model.initial, undefined]];
  while (frontier.length > 0) {
    const beyond: typeof frontier = [];
    for (const [state, trail] of frontier) {
      for (const step of model.steps(state)) {
        transitions += 1;
        if (step.mark !== undefined) marks.add(step.mark);
        const fault = faultsOf(model, state, step).find((each) => watch?.includes(each) ?? true);
        if (fault !== undefined) {
          const steps = toSteps({ label: step.label, from: trail });
          return { states: known.size, transitions, marks, counterexample: { fault, steps } };
        }
        if (step.next === state) continue;
        const key = model.key(step.next);
        if (known.has(key)) continue;
        known.add(key);
        if (known.size > mostStates) throw new Error(`more than ${mostStates} states`);
        beyond.push([step.next, { label: step.label, from: trail }]);
      }
    }
    frontier = beyond;
  }
  return { states: known.size, transitions, marks };
}

function faultsOf<S>(model: Model<S>, before: S, step: Step<S>): readonly string[] {
  const faults = model.faults(before, step.next);
  return step.fault === undefined ? faults : [step.fault, ...faults];
}

function toSteps(last: Trail): readonly string[] {
  const steps: string[] = [];
  for (let trail: Trail | undefined = last; trail !== undefined; trail = trail.from) {
    steps.unshift(trail.label);
  }
  return steps;
}
