/** How a server is reached, in words that may be shown: no header, no environment, nothing that looks like a secret. */
import type { ServerConfig } from '../gate/config/gate-config.ts';

const SECRET_NAME = /key|token|secret|pass|auth|credential|bearer/i;
/** Long and without the looks of a path, a package or a word: most likely random. */
const RANDOM = /^(?=.*\d)(?=.*[a-z])[\w+=-]{24,}$/i;
const HIDDEN = '…';

/** The configuration as it was written, with the names of variables in place of what they hold. */
export function serverAddress(config: ServerConfig): string {
  if (config.kind === 'remote') return toPlainUrl(config.url);
  return [config.command, ...config.args.map(toPlainArgument)].join(' ');
}

function toPlainArgument(text: string, index: number, all: readonly string[]): string {
  const before = all[index - 1] ?? '';
  if (before.startsWith('-') && !before.includes('=') && SECRET_NAME.test(before)) return HIDDEN;
  const [, name, value] = /^([\w.-]+)=(.*)$/s.exec(text) ?? [];
  if (name !== undefined && value !== undefined) {
    const isHidden = SECRET_NAME.test(name) || RANDOM.test(value);
    return isHidden ? `${name}=${HIDDEN}` : `${name}=${toPlainUrl(value)}`;
  }
  return RANDOM.test(text) ? HIDDEN : toPlainUrl(text);
}

/** Without user, password, query and fragment, any of which can carry a secret, as can a path. */
function toPlainUrl(text: string): string {
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return text;
  const url = URL.parse(text);
  if (url === null) return HIDDEN;
  const path = url.pathname.split('/').map((part) => (RANDOM.test(part) ? HIDDEN : part));
  return `${url.protocol}//${url.host}${path.join('/')}`;
}
