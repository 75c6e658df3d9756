/**
 * The environment of a server process: what any program needs to run, and what was meant for this
 * server. Everything else of the gate's environment may be a secret of the gate, of another server or of
 * the user. Pure.
 */
type Environment = Readonly<Record<string, string | undefined>>;

/** What the SDK's client passes on, then folders, locale and trusted certificates. */
const NEEDED = `
  HOME LOGNAME PATH SHELL TERM USER
  APPDATA HOMEDRIVE HOMEPATH LOCALAPPDATA PROCESSOR_ARCHITECTURE PROGRAMFILES SYSTEMDRIVE SYSTEMROOT TEMP
  USERNAME USERPROFILE
  COMSPEC PATHEXT TMP TMPDIR
  XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR XDG_STATE_HOME
  LANG LANGUAGE LC_ALL LC_COLLATE LC_CTYPE LC_MESSAGES LC_MONETARY LC_NUMERIC LC_TIME TZ
  NODE_EXTRA_CA_CERTS SSL_CERT_DIR SSL_CERT_FILE`
  .trim()
  .split(/\s+/);

const PROXIES = ['ALL_PROXY', 'HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY'].flatMap((name) => [
  name,
  name.toLowerCase(),
]);

/**
 * `own` is set for the server; `passed` names variables of the environment by the name that they have at
 * the server.
 */
export function serverEnvironment(
  environment: Environment,
  own: Readonly<Record<string, string>> = {},
  passed: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  const entries = [
    ...NEEDED.map((name) => [name, environment[name]] as const),
    ...PROXIES.map((name) => [name, withoutPassword(environment[name])] as const),
    ...Object.entries(own),
    ...Object.entries(passed).map(([name, variable]) => [name, environment[variable]] as const),
  ];
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** A proxy that needs a password is a secret, and passed only by name. */
function withoutPassword(proxy: string | undefined): string | undefined {
  return proxy?.includes('@') ? undefined : proxy;
}
