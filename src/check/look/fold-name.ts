/** A name without what readers overlook: case, separators, and letters that are drawn like Latin ones. */

/* Cyrillic and Greek letters and the Latin ones they are drawn like, one below the other. */
const ALIKE = 'аеорсухіјѕһԁԛԝοανκιτρυ';
const LATIN = 'aeopcyxijshdqwoavkitpu';

const PLAIN: ReadonlyMap<string, string> = new Map(
  Array.from(ALIKE, (letter, at) => [letter, LATIN.charAt(at)]),
);

export function foldName(name: string): string {
  const letters = name
    .slice(0, 256)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}\p{Z}\p{C}\p{Default_Ignorable_Code_Point}]/gu, '');
  return Array.from(letters, (letter) => PLAIN.get(letter) ?? letter).join('');
}
