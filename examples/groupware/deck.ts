/** The boards of one account: what the deck tools need from a backend. Part of `backend.ts`. */

export interface Label {
  readonly id: number;
  readonly board_id: number;
  readonly title: string;
  readonly color: string;
  readonly etag: string;
}

export interface Board {
  readonly id: number;
  readonly title: string;
  readonly color: string;
  readonly owner: string;
  readonly archived: boolean;
  readonly labels: readonly Label[];
  readonly etag: string;
}

export interface Stack {
  readonly id: number;
  readonly board_id: number;
  readonly title: string;
  readonly order: number;
  readonly etag: string;
}

export interface Card {
  readonly id: number;
  readonly stack_id: number;
  readonly title: string;
  readonly description: string;
  readonly type: string;
  readonly order: number;
  readonly owner: string;
  readonly duedate: string | null;
  readonly archived: boolean;
  readonly done: string | null;
  /** Ids of labels. */
  readonly labels: readonly number[];
  readonly assigned_users: readonly string[];
  readonly etag: string;
}

/** Where a card is: every request about a card names its board and stack. */
export interface CardPlace {
  readonly boardId: number;
  readonly stackId: number;
  readonly cardId: number;
}

type CardFields = Pick<Card, 'title' | 'description' | 'type' | 'order' | 'duedate'>;
type CardChanges = Partial<CardFields & Pick<Card, 'owner' | 'archived' | 'done'>>;

export interface Deck {
  boards(): Promise<readonly Board[]>;
  board(id: number): Promise<Board | undefined>;
  createBoard(fields: Pick<Board, 'title' | 'color'>): Promise<Board>;
  stacks(boardId: number): Promise<readonly Stack[]>;
  createStack(boardId: number, fields: Pick<Stack, 'title' | 'order'>): Promise<Stack>;
  updateStack(
    boardId: number,
    stackId: number,
    changes: Partial<Pick<Stack, 'title' | 'order'>>,
  ): Promise<Stack>;
  removeStack(boardId: number, stackId: number): Promise<boolean>;
  cards(boardId: number, stackId: number): Promise<readonly Card[]>;
  card(place: CardPlace): Promise<Card | undefined>;
  createCard(boardId: number, stackId: number, fields: CardFields): Promise<Card>;
  updateCard(place: CardPlace, changes: CardChanges): Promise<Card>;
  removeCard(place: CardPlace): Promise<boolean>;
  /** To a place in a stack, which may be another one. */
  moveCard(place: CardPlace, targetStackId: number, order: number): Promise<Card>;
  createLabel(boardId: number, fields: Pick<Label, 'title' | 'color'>): Promise<Label>;
  updateLabel(
    boardId: number,
    labelId: number,
    changes: Partial<Pick<Label, 'title' | 'color'>>,
  ): Promise<Label>;
  removeLabel(boardId: number, labelId: number): Promise<boolean>;
  setLabel(place: CardPlace, labelId: number, isOn: boolean): Promise<Card>;
  setAssignee(place: CardPlace, userId: string, isOn: boolean): Promise<Card>;
}
