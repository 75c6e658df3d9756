/** Boards, stacks, cards and labels on SQLite. */
import type { Board, Card, CardPlace, Deck, Label, Stack } from '../deck.ts';
import { found } from '../refuse.ts';
import type { Database } from '../../shared/database.ts';
import { Table } from './table.ts';

const IN_BOARD = 'AND board_id = :boardId ORDER BY';

export function embeddedDeck(db: Database, user: string): Deck {
  const boards = new Table<Omit<Board, 'labels'>>(db, 'boards', 'board', { flags: ['archived'] });
  const labels = new Table<Label>(db, 'labels', 'label');
  const stacks = new Table<Stack>(db, 'stacks', 'stack');
  const cards = new Table<Card>(db, 'cards', 'card', {
    json: ['labels', 'assigned_users'],
    flags: ['archived'],
  });

  const withLabels = (board: Omit<Board, 'labels'>): Board => ({
    ...board,
    labels: labels.select(user, `${IN_BOARD} id`, { boardId: board.id }),
  });
  const mustHaveBoard = (id: number): void => void found(boards.find(user, id), 'board', id);
  const findStack = (boardId: number, id: number): Stack | undefined => {
    mustHaveBoard(boardId);
    const stack = stacks.find(user, id);
    return stack?.board_id === boardId ? stack : undefined;
  };
  const findLabel = (boardId: number, id: number): Label | undefined => {
    mustHaveBoard(boardId);
    const label = labels.find(user, id);
    return label?.board_id === boardId ? label : undefined;
  };
  const findCard = ({ boardId, stackId, cardId }: CardPlace): Card | undefined => {
    found(findStack(boardId, stackId), 'stack', stackId);
    const card = cards.find(user, cardId);
    return card?.stack_id === stackId ? card : undefined;
  };
  /** Nothing is written when a change leaves the card as it is, so its etag stays. */
  const changeCard = (place: CardPlace, toChanges: (card: Card) => Partial<Card>): Card =>
    db.atomically(() => {
      const card = found(findCard(place), 'card', place.cardId);
      const changes = toChanges(card);
      if (Object.keys(changes).length === 0) return card;
      return found(cards.update(user, card.id, changes), 'card', card.id);
    });

  return {
    boards: async () => boards.select(user, 'ORDER BY id').map(withLabels),
    board: async (id) => {
      const board = boards.find(user, id);
      return board && withLabels(board);
    },
    createBoard: async (fields) => withLabels(boards.insert(user, { ...fields, owner: user })),
    stacks: async (boardId) => {
      mustHaveBoard(boardId);
      return stacks.select(user, `${IN_BOARD} "order", id`, { boardId });
    },
    createStack: async (boardId, fields) => {
      mustHaveBoard(boardId);
      return stacks.insert(user, { board_id: boardId, ...fields });
    },
    updateStack: async (boardId, stackId, changes) => {
      found(findStack(boardId, stackId), 'stack', stackId);
      return found(stacks.update(user, stackId, changes), 'stack', stackId);
    },
    removeStack: async (boardId, stackId) =>
      findStack(boardId, stackId) !== undefined && stacks.remove(user, stackId),
    cards: async (boardId, stackId) => {
      found(findStack(boardId, stackId), 'stack', stackId);
      return cards.select(user, 'AND stack_id = :stackId ORDER BY "order", id', { stackId });
    },
    card: async (place) => findCard(place),
    createCard: async (boardId, stackId, fields) => {
      found(findStack(boardId, stackId), 'stack', stackId);
      return cards.insert(user, { stack_id: stackId, owner: user, ...fields });
    },
    updateCard: async (place, changes) => changeCard(place, () => changes),
    removeCard: async (place) => findCard(place) !== undefined && cards.remove(user, place.cardId),
    moveCard: async (place, targetStackId, order) => {
      found(findStack(place.boardId, targetStackId), 'stack', targetStackId);
      return changeCard(place, (card) =>
        card.stack_id === targetStackId && card.order === order
          ? {}
          : { stack_id: targetStackId, order },
      );
    },
    createLabel: async (boardId, fields) => {
      mustHaveBoard(boardId);
      return labels.insert(user, { board_id: boardId, ...fields });
    },
    updateLabel: async (boardId, labelId, changes) => {
      found(findLabel(boardId, labelId), 'label', labelId);
      return found(labels.update(user, labelId, changes), 'label', labelId);
    },
    removeLabel: async (boardId, labelId) =>
      db.atomically(() => {
        if (findLabel(boardId, labelId) === undefined) return false;
        const ofBoard = 'AND stack_id IN (SELECT id FROM stacks WHERE board_id = :boardId)';
        for (const card of cards.select(user, ofBoard, { boardId })) {
          const changes = toggled(card, 'labels', labelId, false);
          if (changes.labels !== undefined) cards.update(user, card.id, changes);
        }
        return labels.remove(user, labelId);
      }),
    setLabel: async (place, labelId, isOn) => {
      if (isOn) found(findLabel(place.boardId, labelId), 'label', labelId);
      return changeCard(place, (card) => toggled(card, 'labels', labelId, isOn));
    },
    setAssignee: async (place, userId, isOn) =>
      changeCard(place, (card) => toggled(card, 'assigned_users', userId, isOn)),
  };
}

function toggled<K extends 'labels' | 'assigned_users'>(
  card: Card,
  field: K,
  member: Card[K][number],
  isOn: boolean,
): Partial<Card> {
  const members: readonly (number | string)[] = card[field];
  if (members.includes(member) === isOn) return {};
  const changed = isOn ? [...members, member] : members.filter((each) => each !== member);
  return { [field]: changed };
}
