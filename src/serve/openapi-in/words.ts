/** Words for people where the document has none: titles from ids, descriptions from names. */

/** `orders.archive.place` and `placeArchiveOrder` as words. */
export function toWords(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** `Orders Archive Place` */
export function toTitle(name: string): string {
  return toWords(name).map(capitalize).join(' ');
}

/** `Note id, in the path.` */
export function describeParameter(name: string, place: string): string {
  const words = toWords(name).join(' ').toLowerCase();
  return `${capitalize(words) || name}, in the ${place}.`;
}

export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim();
}

function capitalize(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
