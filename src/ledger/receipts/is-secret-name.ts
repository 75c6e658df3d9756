/** Whether a name of an argument, a header or a variable says that its value is a secret. A filter, not a promise. */

/** Without any of these in it, it is none. One search, so that most names cost no more. */
const PARTS = /pass|pin|pwd|secret|credential|authori|cookie|key|token|[_-]pat|otp|cvv|cvc/i;

const NAMES =
  /(?:^|_)(?:(?:pg|db|my)?passw(?:or)?d|passphrase|passcode|pin_?code|pwd|secret|credential|authorization|cookie|(?:api|access|private|secret|signing|encryption|master|account|service_role)_?key|secret_key_base|(?:db|database|smtp|imap|mail|email|redis|mysql|pg|postgres|ftp|ssh|ldap|proxy|admin|root|user|login|sudo)_?pass|(?:access|api|auth|bearer|id|personal_access|deploy|refresh|service|session|bot|csrf)_?token|token|(?:github|gh|gitlab|azure|ado)_pat|otp|cvv|cvc)s?(?:_?\d{1,2})?$/;
/** Where to go on in a list, and amounts of text. */
const NO_SECRETS =
  /(?:^|_)(?:page|next|previous|prev|continuation|cursor|sync|count|max|input|output|total)_?\w*tokens?(?:_?\d{1,2})?$/;

/** What a name ends with decides; whoever calls may choose one as long as a message. */
const LONGEST = 200;

export function isSecretName(name: string): boolean {
  if (!PARTS.test(name)) return false;
  const plain = name
    .slice(-LONGEST)
    .replaceAll(/(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .replace(/_$/, '')
    .toLowerCase();
  return NAMES.test(plain) && !NO_SECRETS.test(plain);
}
