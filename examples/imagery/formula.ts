/**
 * Formulas over bands, such as `(nir - red) / (nir + red)`: numbers, band names, + - * / and brackets.
 * Parsed into a tree once and evaluated for each pixel; nothing is ever run as code.
 */

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'band'; readonly name: string }
  | { readonly kind: 'negate'; readonly of: Expression }
  | {
      readonly kind: 'binary';
      readonly operator: Operator;
      readonly left: Expression;
      readonly right: Expression;
    };

type Operator = '+' | '-' | '*' | '/';

export type FormulaReading =
  | { readonly kind: 'valid'; readonly expression: Expression; readonly bands: readonly string[] }
  | { readonly kind: 'invalid'; readonly reason: string };

const MOST_CHARACTERS = 500;
const DEEPEST = 40;
const TOKEN = /\s*(?:(\d+(?:\.\d+)?)|([a-z][a-z0-9]*)|([-+*/()]))/giy;

export function readFormula(text: string): FormulaReading {
  if (text.length > MOST_CHARACTERS)
    return invalid(`A formula has at most ${MOST_CHARACTERS} characters.`);
  const tokens = tokensOf(text);
  if (tokens === undefined) return invalid('Only numbers, band names, + - * / and brackets.');
  try {
    const parser = new Parser(tokens);
    const expression = parser.readAll();
    return { kind: 'valid', expression, bands: Object.freeze([...parser.bands].toSorted()) };
  } catch (error) {
    if (error instanceof FormulaError) return invalid(error.message);
    throw error;
  }
}

/** `NaN` where a pixel has no value, as in a division by zero. */
export function evaluate(expression: Expression, bandValue: (name: string) => number): number {
  switch (expression.kind) {
    case 'number':
      return expression.value;
    case 'band':
      return bandValue(expression.name);
    case 'negate':
      return -evaluate(expression.of, bandValue);
    case 'binary': {
      const left = evaluate(expression.left, bandValue);
      const right = evaluate(expression.right, bandValue);
      return combine(expression.operator, left, right);
    }
  }
}

function combine(operator: Operator, left: number, right: number): number {
  switch (operator) {
    case '+':
      return left + right;
    case '-':
      return left - right;
    case '*':
      return left * right;
    case '/':
      return right === 0 ? Number.NaN : left / right;
  }
}

function tokensOf(text: string): readonly string[] | undefined {
  const tokens: string[] = [];
  const trimmed = text.trimEnd();
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < trimmed.length) {
    const match = TOKEN.exec(trimmed);
    if (match === null) return undefined;
    tokens.push((match[1] ?? match[2] ?? match[3] ?? '').toLowerCase());
  }
  return tokens;
}

class FormulaError extends Error {}

/** Recursive descent: sums of products of signed values. */
class Parser {
  readonly bands = new Set<string>();
  readonly #tokens: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly string[]) {
    this.#tokens = tokens;
  }

  readAll(): Expression {
    const expression = this.#sum();
    if (this.#peek() !== undefined) throw new FormulaError(`"${this.#peek()}" was not expected.`);
    return expression;
  }

  #sum(): Expression {
    let left = this.#product();
    for (let next = this.#peek(); next === '+' || next === '-'; next = this.#peek()) {
      this.#at += 1;
      left = { kind: 'binary', operator: next, left, right: this.#product() };
    }
    return left;
  }

  #product(): Expression {
    let left = this.#value();
    for (let next = this.#peek(); next === '*' || next === '/'; next = this.#peek()) {
      this.#at += 1;
      left = { kind: 'binary', operator: next, left, right: this.#value() };
    }
    return left;
  }

  #value(): Expression {
    const token = this.#peek();
    this.#at += 1;
    if (token === undefined) throw new FormulaError('The formula ends too early.');
    if (token === '-') return this.#deeper(() => ({ kind: 'negate', of: this.#value() }));
    if (token === '(') return this.#deeper(() => this.#bracket());
    if (/^\d/.test(token)) return { kind: 'number', value: Number(token) };
    if (!/^[a-z]/.test(token)) throw new FormulaError(`"${token}" was not expected.`);
    this.bands.add(token);
    return { kind: 'band', name: token };
  }

  #bracket(): Expression {
    const inner = this.#sum();
    if (this.#peek() !== ')') throw new FormulaError('A bracket is not closed.');
    this.#at += 1;
    return inner;
  }

  #deeper(read: () => Expression): Expression {
    this.#depth += 1;
    if (this.#depth > DEEPEST) throw new FormulaError('The formula is nested too deeply.');
    const expression = read();
    this.#depth -= 1;
    return expression;
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at];
  }
}

function invalid(reason: string): FormulaReading {
  return { kind: 'invalid', reason };
}
