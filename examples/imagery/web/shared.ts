/**
 * Where share links lead: a page for people, JSON for programs, tiles and, if the link allows it, files.
 * Whoever has the address is let in; a password is asked for only if the link has one.
 */
import { ProblemError, toProblem } from 'plimsoll/server';
import type { Item } from '../item.ts';
import type { Shop } from '../operations/declare.ts';
import type { OpenedLink } from '../operations/open-share.ts';
import { openShare } from '../operations/open-share.ts';
import { toDownload } from './files.ts';
import { toTile } from './images.ts';
import type { Handler, WebAnswer, WebRequest } from './route.ts';
import { Refused, toJson } from './route.ts';

const CHALLENGE = 'Basic realm="share link", charset="UTF-8"';

interface SharedHandlers {
  readonly page: Handler;
  readonly tile: Handler;
  readonly file: Handler;
}

export function sharedHandlers(shop: Shop): SharedHandlers {
  const open = async ({ params, headers }: WebRequest): Promise<OpenedLink> => {
    const opened = await openShare(
      shop,
      params['token'] ?? '',
      passwordIn(headers['authorization']),
    );
    if (opened.kind === 'opened') return opened;
    if (opened.kind === 'gone') throw new ProblemError('not-found', opened.detail);
    const detail = 'This link has a password; send it with HTTP Basic, under any name.';
    throw new Refused(toProblem('unauthenticated', detail), CHALLENGE);
  };

  return {
    page: async (request) => {
      const { link, name, items } = await open(request);
      const { permission, target_type } = link;
      const wantsPage = (request.headers['accept'] ?? '').includes('text/html');
      const listed = items.map(({ id, name: title, bbox, datetime }) => ({
        id,
        name: title,
        bbox,
        datetime,
        files: permission === 'download' ? filesOf(shop, link.organization_id, id) : [],
      }));
      if (!wantsPage) return toJson({ permission, target_type, name, items: listed });
      return toPage(request.url.pathname, name, listed);
    },
    tile: async (request) => {
      const { link, items } = await open(request);
      const item = found(items.find(({ id }) => id === request.params['item_id']));
      return toTile(shop.store.items.assets(link.organization_id, item.id)[0], request.params);
    },
    file: async (request) => {
      const { link, items } = await open(request);
      if (link.permission !== 'download') {
        throw new ProblemError('forbidden', 'This link allows looking, not downloading.');
      }
      const files = items.flatMap((item) =>
        shop.store.items
          .assets(link.organization_id, item.id)
          .map((asset) => ({ asset, bbox: item.bbox })),
      );
      return toDownload(found(files.find(({ asset }) => asset.id === request.params['asset_id'])));
    },
  };
}

function filesOf({ store }: Shop, organisation: string, itemId: string): readonly string[] {
  return store.items.assets(organisation, itemId).map(({ id }) => id);
}

function found<T>(value: T | undefined): T {
  if (value === undefined) throw new ProblemError('not-found', 'This link does not lead there.');
  return value;
}

/** The name before the colon is anyone's. */
function passwordIn(authorization: string | undefined): string | undefined {
  const [, encoded] = /^basic +(\S+) *$/i.exec(authorization ?? '') ?? [];
  if (encoded === undefined) return undefined;
  return Buffer.from(encoded, 'base64')
    .toString('utf8')
    .replace(/^[^:]*:/, '');
}

interface Listed extends Pick<Item, 'id' | 'name'> {
  readonly files: readonly string[];
}

function toPage(path: string, name: string, items: readonly Listed[]): WebAnswer {
  const rows = items.map(({ id, name: title, files }) => {
    const links = files.map((file) => ` <a href="${path}/assets/${file}">Download</a>`).join('');
    const picture = `<img src="${path}/tiles/${id}/0/0/0" alt="" width="64" height="64">`;
    return `<li>${picture} ${toText(title)}${links}</li>`;
  });
  const body = `<!doctype html><html lang="en"><meta charset="utf-8"><title>${toText(name)}</title>
<h1>${toText(name)}</h1><ul>${rows.join('')}</ul></html>`;
  const headers = { 'content-security-policy': "default-src 'none'; img-src 'self'" };
  return { type: 'text/html; charset=utf-8', body, headers };
}

function toText(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.codePointAt(0)};`);
}
