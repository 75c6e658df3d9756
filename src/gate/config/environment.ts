/**
 * `${NAME}`, `${NAME:-otherwise}` and `${env:NAME}` in a text, as hosts write them, and what stands for
 * them in an environment.
 */
export type Environment = Readonly<Record<string, string | undefined>>;

const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export function hasReference(text: string): boolean {
  return text.search(REFERENCE) !== -1;
}

/** The names that the text needs and the environment has not. */
export function missingVariables(text: string, environment: Environment): readonly string[] {
  return [...text.matchAll(REFERENCE)].flatMap(([, name = '', otherwise]) =>
    otherwise === undefined && environment[name] === undefined ? [name] : [],
  );
}

/** Throws when a name is missing; reading the configuration with an environment finds it first. */
export function expandText(text: string, environment: Environment): string {
  return text.replaceAll(REFERENCE, (_, name: string, otherwise: string | undefined) => {
    const value = environment[name] ?? otherwise;
    if (value === undefined) throw new Error(`the environment variable ${name} is not set`);
    return value;
  });
}
