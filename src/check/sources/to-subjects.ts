/** Makes subjects of listings: each server with all the others for neighbours, and with its pins. Pure. */
import type { Lock } from '../../gate/pins/lock.ts';
import type { ServerSubject } from '../subject.ts';
import { toSubject } from '../subject.ts';
import type { Listing } from './listing.ts';

export function toSubjects(
  listings: readonly Listing[],
  lock: Lock | undefined,
): readonly ServerSubject[] {
  const alone = listings.map(({ name, tools }) => {
    const pins = lock?.servers.get(name);
    return toSubject(name, tools, pins === undefined ? {} : { pins });
  });
  const known = alone.map(({ name, tools }) => ({ name, tools: tools.map((tool) => tool.name) }));
  return alone.map((subject) => ({
    ...subject,
    neighbours: known.filter(({ name }) => name !== subject.name),
  }));
}
