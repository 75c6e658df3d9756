/** `--help` for scripts: prints the usage and ends, before anything is measured. */
export function showHelp(usage: string): void {
  const { argv } = process;
  if (!argv.includes('--help') && !argv.includes('-h')) return;
  process.stdout.write(usage);
  process.exit(0);
}
