/** The token file cannot be used as it is. Says what to do about it, and nothing of what it holds. */
export class TokenFileError extends Error {
  override readonly name = 'TokenFileError';
}
