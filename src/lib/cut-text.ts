/** The beginning of a text, as a copy: a slice would keep the whole text in memory. Half a character becomes U+FFFD. */
export function cutText(text: string, most: number): string {
  return Buffer.from(text.slice(0, most)).toString('utf8');
}
