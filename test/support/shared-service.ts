/** The address of a service that the tests of one run share; undefined where nothing is shared, as in a script. */
export type Service = 'postgres' | 'chromium';

export const SHARED_SERVICES = 'PLIMSOLL_SHARED_SERVICES';

export async function sharedService(name: Service): Promise<string | undefined> {
  const base = process.env[SHARED_SERVICES];
  if (base === undefined) return undefined;
  const response = await fetch(`${base}/${name}`);
  const text = await response.text();
  if (!response.ok) throw new Error(`the shared ${name} could not be opened: ${text}`);
  return text;
}
