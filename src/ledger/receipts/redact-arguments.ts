/**
 * Arguments as text without what looks like a secret: values under names of secrets, credentials in well-known
 * forms, and tokens of our own. A filter, not a promise: a secret in plain words stays.
 */
import { redactSecrets } from '../../lib/find-secret-tokens.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { SECRET_MARK } from '../../lib/secret.ts';

const NAMES =
  /(?:^|_)(?:passw(?:or)?d|passphrase|passcode|pin_?code|pwd|secret|credential|authorization|cookie|(?:api|access|private|secret|signing|encryption|account|service_role)_?key|(?:access|api|auth|bearer|id|personal_access|deploy|refresh|service|session|bot|csrf)_?token|token|otp|cvv|cvc)s?$/;
/** Where to go on in a list, and amounts of text. */
const NO_SECRETS =
  /(?:^|_)(?:page|next|previous|prev|continuation|cursor|sync|count|max|input|output|total)_?\w*tokens?$/;

const FORMS: readonly RegExp[] = [
  /\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|sk|rk|pk|xox[abeoprs]|hf|npm|pypi|dop_v1|shpat|whsec)[-_][A-Za-z0-9_-]{16,}/g,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[\w-]{35}/g,
  /\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]*/g,
  // One that is encrypted has headers with hyphens; one that is cut off has no end.
  /-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)/gs,
  /(?<=\b(?:Bearer|Basic) )[\w.~+/=-]{8,}/gi,
  /(?<=\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}(?=@)/gi,
];

export function redactArguments(args: JsonValue): string {
  return redactSecrets(JSON.stringify(redact(args)));
}

/** Recursion is safe, since what a client sends has a bounded depth. */
function redact(value: JsonValue): JsonValue {
  if (typeof value === 'string') {
    return FORMS.reduce((text, form) => text.replace(form, SECRET_MARK), value);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(redact);
  const members = Object.entries(value as Readonly<Record<string, JsonValue>>);
  return Object.fromEntries(
    members.map(([name, member]) => [name, isSecret(name, member) ? SECRET_MARK : redact(member)]),
  );
}

function isSecret(name: string, value: JsonValue): boolean {
  if (value === null || value === '' || typeof value === 'boolean') return false;
  const plain = name
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toLowerCase();
  return NAMES.test(plain) && !NO_SECRETS.test(plain);
}
