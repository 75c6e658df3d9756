/** Boards of the deck app, with their stacks and labels. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import { found, given } from '../refuse.ts';
import {
  boardId,
  BoardOut,
  color,
  inStack,
  labelId,
  LabelOut,
  stackId,
  StackOut,
  title,
  toBoardOut,
} from './deck-schemas.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { maybe, Removed } from './parameters.ts';

const READ = ['deck:read'];
const WRITE = ['deck:write'];

const order = z.int().min(0).max(1_000_000);

export function boardOperations(groupware: Groupware): readonly Operation[] {
  return [
    declare(groupware, {
      name: 'deck_get_boards',
      title: 'List Deck Boards',
      description: 'Lists the boards with their labels.',
      input: z.object({}),
      output: z.object({ boards: z.array(BoardOut) }),
      effect: reads('board', ownAccount),
      scopes: READ,
      run: async (_, { deck }) => ({ boards: (await deck.boards()).map(toBoardOut) }),
    }),

    declare(groupware, {
      name: 'deck_get_board',
      title: 'Get Deck Board',
      description: 'Returns one board with its labels.',
      input: z.object({ board_id: boardId }),
      output: BoardOut,
      effect: reads('board', ownAccount),
      scopes: READ,
      run: async ({ board_id }, { deck }) =>
        toBoardOut(found(await deck.board(board_id), 'board', board_id)),
    }),

    declare(groupware, {
      name: 'deck_create_board',
      title: 'Create Deck Board',
      description: 'Creates an empty board. A second call creates a second board.',
      input: z.object({ title: title.describe('Title of the board'), color }),
      output: BoardOut,
      effect: creates('board', ownAccount),
      scopes: WRITE,
      produces: ['board'],
      run: async (input, { deck }) => toBoardOut(await deck.createBoard(input)),
    }),

    declare(groupware, {
      name: 'deck_get_stacks',
      title: 'List Deck Stacks',
      description: 'Lists the stacks of a board in their order.',
      input: z.object({ board_id: boardId }),
      output: z.object({ stacks: z.array(StackOut) }),
      effect: reads('stack', ownAccount),
      scopes: READ,
      run: async ({ board_id }, { deck }) => ({ stacks: [...(await deck.stacks(board_id))] }),
    }),

    declare(groupware, {
      name: 'deck_get_stack',
      title: 'Get Deck Stack',
      description: 'Returns one stack. deck_get_cards returns its cards.',
      input: z.object(inStack),
      output: StackOut,
      effect: reads('stack', ownAccount),
      scopes: READ,
      run: async ({ board_id, stack_id }, { deck }) => {
        const stacks = await deck.stacks(board_id);
        return found(
          stacks.find((stack) => stack.id === stack_id),
          'stack',
          stack_id,
        );
      },
    }),

    declare(groupware, {
      name: 'deck_create_stack',
      title: 'Create Deck Stack',
      description: 'Creates an empty stack on a board. A second call creates a second stack.',
      input: z.object({
        board_id: boardId,
        title: title.describe('Title of the stack'),
        order: order.describe('Place among the stacks; small numbers come first'),
      }),
      output: StackOut,
      effect: creates('stack', ownAccount),
      scopes: WRITE,
      produces: ['stack'],
      run: ({ board_id, ...fields }, { deck }) => deck.createStack(board_id, fields),
    }),

    declare(groupware, {
      name: 'deck_update_stack',
      title: 'Update Deck Stack',
      description:
        'Changes the title or the place of a stack; what is left out stays as it is. It takes no etag: the latest version is changed.',
      input: z.object({
        board_id: boardId,
        stack_id: stackId,
        title: maybe(title).describe('New title'),
        order: maybe(order).describe('New place among the stacks'),
      }),
      output: StackOut,
      effect: updates('stack', ownAccount),
      scopes: WRITE,
      run: ({ board_id, stack_id, ...changes }, { deck }) =>
        deck.updateStack(board_id, stack_id, given(changes)),
    }),

    declare(groupware, {
      name: 'deck_delete_stack',
      title: 'Delete Deck Stack',
      description: 'Permanently deletes a stack with all its cards.',
      input: z.object(inStack),
      output: Removed,
      effect: deletes('stack', ownAccount),
      scopes: WRITE,
      run: async ({ board_id, stack_id }, { deck }) => ({
        deleted: await deck.removeStack(board_id, stack_id),
      }),
    }),

    declare(groupware, {
      name: 'deck_get_labels',
      title: 'List Deck Labels',
      description: 'Lists the labels of a board.',
      input: z.object({ board_id: boardId }),
      output: z.object({ labels: z.array(LabelOut) }),
      effect: reads('label', ownAccount),
      scopes: READ,
      run: async ({ board_id }, { deck }) => ({
        labels: [...found(await deck.board(board_id), 'board', board_id).labels],
      }),
    }),

    declare(groupware, {
      name: 'deck_get_label',
      title: 'Get Deck Label',
      description: 'Returns one label of a board.',
      input: z.object({ board_id: boardId, label_id: labelId }),
      output: LabelOut,
      effect: reads('label', ownAccount),
      scopes: READ,
      run: async ({ board_id, label_id }, { deck }) => {
        const { labels } = found(await deck.board(board_id), 'board', board_id);
        return found(
          labels.find((label) => label.id === label_id),
          'label',
          label_id,
        );
      },
    }),

    declare(groupware, {
      name: 'deck_create_label',
      title: 'Create Deck Label',
      description:
        'Creates a label for the cards of a board. A second call creates a second label.',
      input: z.object({ board_id: boardId, title: title.describe('Text of the label'), color }),
      output: LabelOut,
      effect: creates('label', ownAccount),
      scopes: WRITE,
      produces: ['label'],
      run: ({ board_id, ...fields }, { deck }) => deck.createLabel(board_id, fields),
    }),

    declare(groupware, {
      name: 'deck_update_label',
      title: 'Update Deck Label',
      description:
        'Changes the text or colour of a label; what is left out stays as it is. It takes no etag: the latest version is changed.',
      input: z.object({
        board_id: boardId,
        label_id: labelId,
        title: maybe(title).describe('New text'),
        color: maybe(color).describe('New colour as six hex digits'),
      }),
      output: LabelOut,
      effect: updates('label', ownAccount),
      scopes: WRITE,
      run: ({ board_id, label_id, ...changes }, { deck }) =>
        deck.updateLabel(board_id, label_id, given(changes)),
    }),

    declare(groupware, {
      name: 'deck_delete_label',
      title: 'Delete Deck Label',
      description: 'Permanently deletes a label.',
      input: z.object({ board_id: boardId, label_id: labelId }),
      output: Removed,
      effect: deletes('label', ownAccount),
      scopes: WRITE,
      run: async ({ board_id, label_id }, { deck }) => ({
        deleted: await deck.removeLabel(board_id, label_id),
      }),
    }),
  ];
}
