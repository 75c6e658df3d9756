/**
 * `${NAME}`, `${NAME:-otherwise}` and `${env:NAME}` in a text, as hosts write them, and their values from
 * an environment.
 */
import type { ServerConfig } from './gate-config.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const VARIABLE: RegExp = /^[A-Za-z_][A-Za-z0-9_]*$/;

const REFERENCE = /\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}/g;

export function hasReference(text: string): boolean {
  return text.search(REFERENCE) !== -1;
}

/** The names that the text needs and the environment lacks. */
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

/** With its values it is ready to be opened, and must not be shown. */
export function expandServer<Server extends ServerConfig>(
  server: Server,
  environment: Environment,
): Server;
export function expandServer(server: ServerConfig, environment: Environment): ServerConfig {
  const expand = (text: string): string => expandText(text, environment);
  const expandAll = (texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, expand(text)]));
  if (server.kind === 'remote') {
    return { ...server, url: expand(server.url), headers: expandAll(server.headers) };
  }
  return {
    ...server,
    command: expand(server.command),
    args: server.args.map(expand),
    env: expandAll(server.env),
  };
}
