/** What happens to calls from outside: the server, the person, the client, the sweeper, the clock, and crashes. */
import type { Driver } from './life-driver.ts';
import type { Take } from './life-call-steps.ts';
import type { LifeCall, LifeSetting, LifeWorld } from './life-world.ts';
import { NOW, RULES } from './world.ts';

/** The server runs, refuses or never gets a request; its answer, or the request, may be lost. */
export function requestSteps({ name, requests }: LifeCall, setting: LifeSetting, take: Take): void {
  const { effectClass, serverAnswers } = setting;
  for (const [attempt, { state, isSettled, key }] of requests.entries()) {
    const become = (driver: Driver, next: typeof state): void => {
      const changed = requests.map((each, index) =>
        index === attempt ? { ...each, state: next } : each,
      );
      driver.set(name, { requests: changed });
    };
    const which = `attempt ${attempt + 1} of ${name}`;
    if (state === 'flying') {
      take(`the server runs ${which}`, (driver) => {
        const { effects } = driver.world;
        const isKnown = effectClass === 'dedup' && effects.includes(key);
        if (!isKnown) driver.world = { ...driver.world, effects: [...effects, key] };
        become(driver, 'done');
      });
    }
    if (isSettled || !serverAnswers) continue;
    take(`${which} is lost`, (driver) => driver.deliver(name, attempt, 'lost'));
    if (state === 'done') {
      take(`${which} is answered`, (driver) => driver.deliver(name, attempt, 'answer'));
      continue;
    }
    // What the first call can meet is enough: the other is there to get in its way.
    if (name === 'B') continue;
    take(`the server refuses ${which}`, (driver) => {
      become(driver, 'refused');
      driver.deliver(name, attempt, 'refused');
    });
    take(`${which} does not leave`, (driver) => {
      become(driver, 'dropped');
      driver.deliver(name, attempt, 'not-sent');
    });
  }
}

export function personSteps({ question, personIsSilent }: LifeWorld, take: Take): void {
  if (question.state !== 'open' || !personIsSilent) return;
  for (const state of ['yes', 'no'] as const) {
    take(`the person says ${state}`, (driver) => {
      driver.world = { ...driver.world, question: { ...question, state }, personIsSilent: false };
    });
  }
}

export function disturbingSteps(world: LifeWorld, take: Take): void {
  const [first] = world.calls;
  if (first === undefined) return;
  const { name, life, isDead } = first;
  const isRunning = life !== undefined && life.kind !== 'ended' && !isDead;
  if (isRunning && world.isStopping && life.kind === 'sent') {
    take(`the grace time of ${name} is over`, (driver) => driver.on(name, { kind: 'grace-over' }));
  }
  for (const each of world.left) {
    const disturb = (label: string, go: (driver: Driver) => void): void =>
      take(label, (driver) => {
        const left = world.left.filter((other) => !isSpentBy(each, other));
        driver.world = { ...driver.world, left };
        go(driver);
      });
    if (each === 'death' || each === 'change') {
      const after = each === 'change' ? ', and another one takes its place' : '';
      disturb(`the server dies${after}`, (driver) => die(driver, each === 'change'));
    } else if (each !== 'lapse' && isRunning) disturbCall(name, each, disturb);
  }
}

/** There is one cancel and one death of the server, in either form. */
function isSpentBy(taken: string, other: string): boolean {
  const pairs = [new Set(['cancel', 'gone']), new Set(['death', 'change'])];
  return taken === other || pairs.some((pair) => pair.has(taken) && pair.has(other));
}

function disturbCall(name: 'A' | 'B', how: string, disturb: Take): void {
  if (how === 'crash')
    disturb(`the gate of ${name} crashes`, (driver) => driver.set(name, { isDead: true }));
  if (how === 'stop') {
    disturb(`the gate of ${name} stops`, (driver) => {
      driver.world = { ...driver.world, isStopping: true };
      driver.on(name, { kind: 'stop' });
    });
  }
  if (how === 'cancel' || how === 'gone') {
    const client = how === 'cancel' ? 'cancelled' : 'gone';
    disturb(`the client of ${name} ${how === 'cancel' ? 'cancels' : 'goes away'}`, (driver) => {
      driver.set(name, { client });
      driver.on(name, { kind: client });
    });
  }
}

/** What it had not run it never will. */
function die(driver: Driver, changes: boolean): void {
  for (const { name, requests } of driver.world.calls) {
    const after = requests.map((each) =>
      each.state === 'flying' ? ({ ...each, state: 'dropped' } as const) : each,
    );
    driver.set(name, { requests: after });
    for (const [attempt, { isSettled }] of requests.entries()) {
      if (!isSettled) driver.deliver(name, attempt, 'lost');
    }
  }
  if (!changes) return;
  driver.world = { ...driver.world, definition: driver.world.definition + 1 };
  for (const { name, isDead } of driver.world.calls) {
    if (!isDead) driver.on(name, { kind: 'changed' });
  }
}

export function rowSteps(world: LifeWorld, { machine }: LifeSetting, take: Take): void {
  for (const [id, row] of Object.entries(world.rows)) {
    const owner = world.calls.find(({ name }) => row.owner.startsWith(name));
    const isOpen = row.state === 'CLAIMED' || row.state === 'DISPATCHED';
    if (isOpen && row.lease_until > NOW && world.left.includes('lapse')) {
      take(`the lease of ${id} lapses`, (driver) => {
        const left = world.left.filter((each) => each !== 'lapse');
        const rows = { ...world.rows, [id]: { ...row, lease_until: NOW } };
        driver.world = { ...driver.world, rows, left };
      });
    }
    const swept = machine.sweep(row, NOW, RULES, owner?.isDead === true);
    if (swept !== undefined) {
      take(`the sweeper finds ${id} ${row.state}`, (driver) => void driver.write(swept, id));
    }
  }
}
