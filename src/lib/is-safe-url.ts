/** Whether credentials may travel to a URL: https, or http that does not leave this machine. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

export function isSafeUrl(url: URL): boolean {
  if (url.protocol === 'https:') return true;
  return url.protocol === 'http:' && isLoopback(url);
}

export function isLoopback({ hostname }: URL): boolean {
  return LOOPBACK.test(hostname);
}
