/** One object of a JSON file while it is checked: where it stands, and where its faults go. */
import type { JsonValue } from '../../lib/json-value.ts';
import { toPointer } from './drift.ts';
import type { JsonRecord } from './tool-definition.ts';
import { own, toRecord } from './tool-definition.ts';

export interface JsonFault {
  /** A JSON pointer into the file. */
  readonly pointer: string;
  readonly message: string;
}

export class JsonPart {
  readonly #record: JsonRecord;
  readonly #pointer: string;
  readonly #faults: JsonFault[];

  constructor(value: JsonValue | undefined, pointer: string, faults: JsonFault[]) {
    this.#pointer = pointer;
    this.#faults = faults;
    const record = toRecord(value);
    if (record === undefined) this.fault('it is not an object');
    this.#record = record ?? {};
  }

  get(key: string): JsonValue | undefined {
    return own(this.#record, key);
  }

  part(key: string): JsonPart {
    return new JsonPart(this.get(key), this.#pointer + toPointer(key), this.#faults);
  }

  parts(key: string): readonly (readonly [string, JsonPart])[] {
    const members = this.part(key);
    return Object.keys(members.#record).map((name) => [name, members.part(name)]);
  }

  text(key: string, form: RegExp): string {
    const value = this.get(key);
    if (typeof value === 'string' && form.test(value)) return value;
    this.fault('it does not have the right form', key);
    return '';
  }

  allow(keys: readonly string[]): void {
    for (const key of Object.keys(this.#record))
      if (!keys.includes(key)) this.fault('there is no such member', key);
  }

  fault(message: string, key?: string): void {
    const pointer = key === undefined ? this.#pointer : this.#pointer + toPointer(key);
    this.#faults.push({ pointer, message });
  }
}
