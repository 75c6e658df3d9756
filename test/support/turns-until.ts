/** How many turns of the event loop come before it is done; `work` is done in each. */
export async function turnsUntil(
  done: Promise<unknown>,
  work: () => void = () => {},
): Promise<number> {
  const isDone = done.then(() => true);
  const nextTurn = () => new Promise<false>((resolve) => setImmediate(() => resolve(false)));
  let turns = 0;
  for (; !(await Promise.race([isDone, nextTurn()])); turns += 1) work();
  return turns;
}
