/** The parameters and results of deck tools. */
import * as z from 'zod';
import type { Board, Card, CardPlace } from '../deck.ts';
import { etag, id, text } from './parameters.ts';

export const boardId = id('board');
export const stackId = id('stack');
const cardId = id('card');
export const labelId = id('label');
export const userId = text(200).min(1).describe('Id of the user');
export const title = text(255).min(1);
export const color = z
  .string()
  .regex(/^#?[\dA-Fa-f]{6}$/)
  .describe('Colour as six hex digits: 317CCC');

export const inStack = { board_id: boardId, stack_id: stackId } as const;
export const onCard = { ...inStack, card_id: cardId } as const;

export const LabelOut = z.object({
  id: z.int(),
  board_id: z.int(),
  title: z.string(),
  color: z.string(),
  etag,
});

export const BoardOut = z.object({
  id: z.int(),
  title: z.string(),
  color: z.string(),
  owner: z.string(),
  archived: z.boolean(),
  labels: z.array(LabelOut),
  etag,
});

export const StackOut = z.object({
  id: z.int(),
  board_id: z.int(),
  title: z.string(),
  order: z.int(),
  etag,
});

export const CardOut = z.object({
  id: z.int(),
  stack_id: z.int(),
  title: z.string(),
  description: z.string(),
  type: z.string(),
  order: z.int(),
  owner: z.string(),
  duedate: z.string().nullable(),
  archived: z.boolean(),
  done: z.string().nullable(),
  labels: z.array(z.int()).describe('Ids of its labels'),
  assigned_users: z.array(z.string()),
  etag,
});

export function toBoardOut(board: Board): z.infer<typeof BoardOut> {
  return { ...board, labels: [...board.labels] };
}

export function toCardOut(card: Card): z.infer<typeof CardOut> {
  return { ...card, labels: [...card.labels], assigned_users: [...card.assigned_users] };
}

export function toPlace(input: {
  readonly board_id: number;
  readonly stack_id: number;
  readonly card_id: number;
}): CardPlace {
  return { boardId: input.board_id, stackId: input.stack_id, cardId: input.card_id };
}
