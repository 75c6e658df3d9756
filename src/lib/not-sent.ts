/**
 * How an operation says that its request certainly never left: the connection was refused, the name
 * was not found. Only then may a call under a key be forgotten and sent anew.
 */
export class NotSentError extends Error {
  override readonly name = 'NotSentError';
}
