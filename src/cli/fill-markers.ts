/** Replaces what stands between `<!-- plimsoll:name -->` markers; `undefined` when there are none. */
export function fillMarkers(
  text: string,
  parts: Readonly<Record<string, string>>,
): string | undefined {
  let filled = text;
  let found = false;
  for (const [name, part] of Object.entries(parts)) {
    const open = `<!-- plimsoll:${name} -->`;
    const close = `<!-- /plimsoll:${name} -->`;
    const start = filled.indexOf(open);
    const end = filled.indexOf(close, start);
    if (start === -1 || end === -1) continue;
    found = true;
    filled = `${filled.slice(0, start + open.length)}\n\n${part}\n\n${filled.slice(end)}`;
  }
  return found ? filled : undefined;
}
