/** Letters of other scripts that nobody can tell from ours by looking at them. */

/** With our letters in their place. */
export function toLookalike(text: string): string {
  return PLAIN.test(text)
    ? text
    : text.replaceAll(/[^ -~]/gu, (letter) => LOOKALIKES.get(letter.toLowerCase()) ?? letter);
}
const PLAIN = /^[ -~]*$/;

const LOOKALIKES: ReadonlyMap<string, string> = new Map(
  [
    ['аеорсухіјѕԁԛԝһкмтвн', 'aeopcyxijsdqwhkmtbh'],
    ['αοενρικτυχη', 'aoevpiktuxn'],
    ['ɑɡ', 'ag'],
  ].flatMap(([foreign = '', ours = '']) =>
    Array.from(foreign, (letter, at): [string, string] => [letter, ours[at] ?? letter]),
  ),
);
