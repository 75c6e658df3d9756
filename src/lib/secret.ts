/**
 * A string that cannot be printed by accident: not by a logger, a template, JSON or an inspector.
 * `reveal()` is the only way out, so that every place where a secret leaves can be found.
 */
import { inspect } from 'node:util';

const SHOWN = '[secret]';

export class Secret {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  reveal(): string {
    return this.#text;
  }

  toString(): string {
    return SHOWN;
  }

  toJSON(): string {
    return SHOWN;
  }

  [inspect.custom](): string {
    return SHOWN;
  }
}
