/** The deck app over its REST API, version 1.0. */
import * as z from 'zod';
import type { Board, Card, CardPlace, Deck, Label, Stack } from '../deck.ts';
import { found } from '../refuse.ts';
import type { GroupwareClient } from './client.ts';
import { orMissing, wasThere } from './rest.ts';

const tag = z.string().default('').catch('');
const user = z.union([z.string(), z.object({ uid: z.string() }).transform(({ uid }) => uid)]);

const RawLabel = z.object({
  id: z.number(),
  boardId: z.number(),
  title: z.string(),
  color: z.string(),
  ETag: tag,
});
const RawBoard = z.object({
  id: z.number(),
  title: z.string(),
  color: z.string(),
  owner: user,
  archived: z.boolean().default(false),
  labels: z.array(RawLabel).nullish(),
  ETag: tag,
});
const RawCard = z.object({
  id: z.number(),
  stackId: z.number(),
  title: z.string(),
  description: z.string().nullish(),
  type: z.string().default('plain'),
  order: z.number(),
  owner: user,
  duedate: z.string().nullish(),
  archived: z.boolean().default(false),
  done: z.string().nullish(),
  labels: z.array(z.object({ id: z.number() })).nullish(),
  assignedUsers: z.array(z.object({ participant: z.object({ uid: z.string() }) })).nullish(),
  ETag: tag,
});
const RawStack = z.object({
  id: z.number(),
  boardId: z.number(),
  title: z.string(),
  order: z.number(),
  cards: z.array(RawCard).nullish(),
  ETag: tag,
});

export function restDeck(client: GroupwareClient, base: string): Deck {
  const boards = `${base}/apps/deck/api/v1.0/boards`;
  const stacksOf = (boardId: number): string => `${boards}/${boardId}/stacks`;
  const cardsOf = (boardId: number, stackId: number): string =>
    `${stacksOf(boardId)}/${stackId}/cards`;
  const at = ({ boardId, stackId, cardId }: CardPlace): string =>
    `${cardsOf(boardId, stackId)}/${cardId}`;

  const readCard = async (place: CardPlace): Promise<Card | undefined> => {
    const raw = await orMissing(client.json('GET', at(place)));
    return raw === undefined ? undefined : toCard(raw);
  };
  const mustRead = async (place: CardPlace): Promise<Card> =>
    found(await readCard(place), 'card', place.cardId);
  const readStack = async (boardId: number, stackId: number) =>
    RawStack.parse(await client.json('GET', `${stacksOf(boardId)}/${stackId}`));

  return {
    boards: async () =>
      z
        .array(z.unknown())
        .parse(await client.json('GET', boards))
        .map(toBoard),
    board: async (id) => {
      const raw = await orMissing(client.json('GET', `${boards}/${id}`));
      return raw === undefined ? undefined : toBoard(raw);
    },
    createBoard: async (fields) => toBoard(await client.json('POST', boards, fields)),
    stacks: async (boardId) =>
      z
        .array(z.unknown())
        .parse(await client.json('GET', stacksOf(boardId)))
        .map(toStack),
    createStack: async (boardId, fields) =>
      toStack(await client.json('POST', stacksOf(boardId), fields)),
    updateStack: async (boardId, stackId, changes) => {
      const { title, order } = await readStack(boardId, stackId);
      const url = `${stacksOf(boardId)}/${stackId}`;
      return toStack(await client.json('PUT', url, { title, order, ...changes }));
    },
    removeStack: (boardId, stackId) =>
      wasThere(client.json('DELETE', `${stacksOf(boardId)}/${stackId}`)),
    cards: async (boardId, stackId) =>
      ((await readStack(boardId, stackId)).cards ?? []).map(toCard),
    card: readCard,
    createCard: async (boardId, stackId, fields) =>
      toCard(await client.json('POST', cardsOf(boardId, stackId), fields)),
    updateCard: async (place, changes) => {
      const { archived, ...rest } = changes;
      if (archived !== undefined) {
        await client.json('PUT', `${at(place)}/${archived ? 'archive' : 'unarchive'}`);
      }
      if (Object.keys(rest).length === 0) return mustRead(place);
      // The app replaces a card as a whole.
      const { title, description, type, owner, order, duedate, done } = await mustRead(place);
      const whole = { title, description, type, owner, order, duedate, done, ...rest };
      return toCard(await client.json('PUT', at(place), whole));
    },
    removeCard: (place) => wasThere(client.json('DELETE', at(place))),
    moveCard: async (place, targetStackId, order) => {
      const url = `${base}/apps/deck/cards/${place.cardId}/reorder`;
      await client.json('PUT', url, { order, stackId: targetStackId });
      return mustRead({ ...place, stackId: targetStackId });
    },
    createLabel: async (boardId, fields) =>
      toLabel(await client.json('POST', `${boards}/${boardId}/labels`, fields)),
    updateLabel: async (boardId, labelId, changes) => {
      const url = `${boards}/${boardId}/labels/${labelId}`;
      const { title, color } = toLabel(await client.json('GET', url));
      return toLabel(await client.json('PUT', url, { title, color, ...changes }));
    },
    removeLabel: (boardId, labelId) =>
      wasThere(client.json('DELETE', `${boards}/${boardId}/labels/${labelId}`)),
    setLabel: async (place, labelId, isOn) => {
      await client.json('PUT', `${at(place)}/${isOn ? 'assignLabel' : 'removeLabel'}`, { labelId });
      return mustRead(place);
    },
    setAssignee: async (place, userId, isOn) => {
      await client.json('PUT', `${at(place)}/${isOn ? 'assignUser' : 'unassignUser'}`, { userId });
      return mustRead(place);
    },
  };
}

function toLabel(raw: unknown): Label {
  const { boardId, ETag, ...label } = RawLabel.parse(raw);
  return { ...label, board_id: boardId, etag: ETag };
}

function toBoard(raw: unknown): Board {
  const { ETag, labels, ...board } = RawBoard.parse(raw);
  return { ...board, labels: (labels ?? []).map(toLabel), etag: ETag };
}

function toStack(raw: unknown): Stack {
  const { id, boardId, title, order, ETag } = RawStack.parse(raw);
  return { id, board_id: boardId, title, order, etag: ETag };
}

function toCard(raw: unknown): Card {
  const { stackId, ETag, assignedUsers, ...card } = RawCard.parse(raw);
  return {
    ...card,
    stack_id: stackId,
    description: card.description ?? '',
    duedate: card.duedate ?? null,
    done: card.done ?? null,
    labels: (card.labels ?? []).map(({ id }) => id),
    assigned_users: (assignedUsers ?? []).map(({ participant }) => participant.uid),
    etag: ETag,
  };
}
