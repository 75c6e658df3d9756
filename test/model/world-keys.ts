/**
 * Short keys for the worlds of one run. Keeps one object and one number for each different part of
 * a world, so that most parts of a new world are known at sight.
 */
import type { ToText } from './part-text.ts';
import { claimText, keeperText, partnerText, workerText } from './part-text.ts';
import type { World } from './world.ts';

interface Part {
  /** For all that can be said without names. */
  readonly id: number;
  readonly owners: readonly string[];
}

const NO_ROW: Part = Object.freeze({ id: 0xffff, owners: [] });

export class WorldKeys {
  readonly #parts = new WeakMap<object, Part>();
  readonly #originals = new Map<string, object>();
  readonly #ids = new Map<string, number>();

  /** The same world, made of parts that are kept. */
  keep(world: World): World {
    return {
      row: world.row && this.#keep(world.row, claimText),
      workers: world.workers.map((worker) => this.#keep(worker, workerText, worker.name)),
      partner: this.#keep(world.partner, partnerText),
      keeper: this.#keep(world.keeper, keeperText),
    };
  }

  /**
   * Equal for worlds that differ in nothing but which worker is which: workers are put in order by
   * what can be said of each without naming another. Where that leaves a tie, two keys may stand for
   * one world, which costs time and hides nothing.
   */
  keyOf({ row, workers, partner, keeper }: World): string {
    const parts = [row ? this.#partOf(row) : NO_ROW, this.#partOf(partner), this.#partOf(keeper)];
    const signed = workers.map((worker) => {
      const part = this.#partOf(worker);
      return { name: worker.name, part, sign: signOf(worker.name, part, parts) };
    });
    signed.sort((one, other) => one.sign - other.sign);
    const order = signed.map(({ name }) => name);
    for (const { part } of signed) parts.push(part);
    const codes: number[] = [];
    for (const { id, owners } of parts) {
      codes.push(id);
      for (const owner of owners) codes.push(order.indexOf(owner) + 1);
    }
    return String.fromCharCode.apply(undefined, codes);
  }

  #keep<T extends object>(thing: T, toText: ToText<T>, name = ''): T {
    if (this.#parts.has(thing)) return thing;
    const owners: string[] = [];
    const text = toText(thing, owners);
    const whole = `${name}:${owners.join()}:${text}`;
    const original = this.#originals.get(whole);
    if (original !== undefined) return original as T; // no two kinds of parts have the same text
    const id = this.#ids.get(text) ?? this.#ids.size;
    if (id >= NO_ROW.id) throw new Error('too many different parts for one character each');
    this.#ids.set(text, id);
    this.#originals.set(whole, thing);
    this.#parts.set(thing, { id, owners });
    return thing;
  }

  #partOf(original: object): Part {
    const part = this.#parts.get(original);
    if (part === undefined) throw new Error('only a world that is kept has a key');
    return part;
  }
}

/** What the worker itself is, and then which of the names that others mention are its own. */
function signOf(name: string, { id }: Part, others: readonly Part[]): number {
  let sign = id;
  for (const { owners } of others) {
    for (const owner of owners) sign = sign * 2 + (owner === name ? 1 : 0);
  }
  return sign;
}
