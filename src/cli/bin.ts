#!/usr/bin/env node
/**
 * Starts the command line, once Node is known to be new enough: everything else is loaded after that,
 * since an old one fails on it with words that help nobody. Must itself run on old ones.
 */
const OLDEST = [22, 18] as const;
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);

if (major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1])) {
  quieten();
  const { start } = await import('./main.ts');
  await start();
} else {
  process.stderr.write(
    `plimsoll: Node ${OLDEST.join('.')} or newer is needed, and this is ${process.versions.node}; ` +
      'install a newer one from nodejs.org, or run: npx -y -p node@24 -p plimsoll plimsoll\n',
  );
  process.exitCode = 1;
}

/** Node 22 warns of its own SQLite each time; what people ask us must not be lost among that. */
function quieten(): void {
  const warn = process.emitWarning.bind(process) as (...words: readonly unknown[]) => void;
  process.emitWarning = (warning: string | Error, ...words: readonly unknown[]): void => {
    if (!String(warning).startsWith('SQLite is an experimental feature')) warn(warning, ...words);
  };
}
