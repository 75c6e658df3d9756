/** Takes the bearer token off a request. Other schemes are as good as no token. */
export function bearerOf(headers: Headers): string | undefined {
  const [scheme, token] = (headers.get('authorization') ?? '').split(/ +/, 2);
  return scheme?.toLowerCase() === 'bearer' && token !== undefined && token !== ''
    ? token
    : undefined;
}
