/** Cards of the deck app: what is on them, where they are, and who and what is assigned to them. */
import type { Effect, Operation } from 'plimsoll/server';
import { archives, creates, deletes, moves, reads, sets, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { Card, CardPlace, Deck } from '../deck.ts';
import { found, given } from '../refuse.ts';
import {
  CardOut,
  inStack,
  labelId,
  onCard,
  stackId,
  title,
  toCardOut,
  toPlace,
  userId,
} from './deck-schemas.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { maybe, Removed, text } from './parameters.ts';

const READ = ['deck:read'];
const WRITE = ['deck:write'];

/** The second call finds nothing to do, and the card stays as it is. */
const once = { ...ownAccount, repeat: 'end-state' } as const;

const order = z.int().min(0).max(1_000_000);
const time = z.iso.datetime({ offset: true });

export function cardOperations(groupware: Groupware): readonly Operation[] {
  /** A tool that changes one thing about a card. */
  const change = <Input extends z.ZodObject>(init: {
    readonly name: string;
    readonly title: string;
    readonly description: string;
    readonly input: Input;
    readonly effect: Effect;
    readonly run: (deck: Deck, place: CardPlace, input: z.infer<Input>) => Promise<Card>;
  }): Operation =>
    declare(groupware, {
      ...init,
      output: CardOut,
      scopes: WRITE,
      run: async (input, { deck }) => {
        const place = toPlace(input as unknown as Parameters<typeof toPlace>[0]); // every input has `onCard`
        return toCardOut(await init.run(deck, place, input as z.infer<Input>));
      },
    });

  return [
    declare(groupware, {
      name: 'deck_get_cards',
      title: 'List Deck Cards',
      description: 'Lists the cards of a stack in their order.',
      input: z.object(inStack),
      output: z.object({ cards: z.array(CardOut) }),
      effect: reads('card', ownAccount),
      scopes: READ,
      run: async ({ board_id, stack_id }, { deck }) => ({
        cards: (await deck.cards(board_id, stack_id)).map(toCardOut),
      }),
    }),

    declare(groupware, {
      name: 'deck_get_card',
      title: 'Get Deck Card',
      description: 'Returns one card.',
      input: z.object(onCard),
      output: CardOut,
      effect: reads('card', ownAccount),
      scopes: READ,
      run: async (input, { deck }) =>
        toCardOut(found(await deck.card(toPlace(input)), 'card', input.card_id)),
    }),

    declare(groupware, {
      name: 'deck_create_card',
      title: 'Create Deck Card',
      description: 'Creates a card in a stack. A second call creates a second card.',
      input: z.object({
        ...inStack,
        title: title.describe('Title of the card'),
        type: text(40).default('plain').describe('Type of the card'),
        order: order.default(999).describe('Place in the stack; small numbers come first'),
        description: maybe(text(20_000)).describe('Text in Markdown'),
        duedate: maybe(time).describe('When it is due: 2026-03-02T17:00:00Z'),
      }),
      output: CardOut,
      effect: creates('card', ownAccount),
      scopes: WRITE,
      produces: ['card'],
      run: async ({ board_id, stack_id, description, duedate, ...fields }, { deck }) => {
        const rest = { description: description ?? '', duedate: duedate ?? null };
        return toCardOut(await deck.createCard(board_id, stack_id, { ...fields, ...rest }));
      },
    }),

    change({
      name: 'deck_update_card',
      title: 'Update Deck Card',
      description:
        'Changes fields of a card; what is left out stays as it is. It takes no etag: the latest version is changed.',
      input: z.object({
        ...onCard,
        title: maybe(title).describe('New title'),
        description: maybe(text(20_000)).describe('New text in Markdown'),
        type: maybe(text(40)).describe('New type'),
        owner: maybe(text(200)).describe('New owner, by user id'),
        order: maybe(order).describe('New place in the stack'),
        duedate: maybe(time).describe('When it is due'),
        archived: maybe(z.boolean()).describe('Whether it is archived'),
        done: maybe(time).describe('When it was done'),
      }),
      effect: updates('card', ownAccount),
      run: (deck, place, { board_id: _b, stack_id: _s, card_id: _c, ...changes }) =>
        deck.updateCard(place, given(changes)),
    }),

    declare(groupware, {
      name: 'deck_delete_card',
      title: 'Delete Deck Card',
      description: 'Permanently deletes a card.',
      input: z.object(onCard),
      output: Removed,
      effect: deletes('card', ownAccount),
      scopes: WRITE,
      run: async (input, { deck }) => ({ deleted: await deck.removeCard(toPlace(input)) }),
    }),

    change({
      name: 'deck_archive_card',
      title: 'Archive Deck Card',
      description: 'Archives a card. deck_unarchive_card restores it.',
      input: z.object(onCard),
      effect: archives('card', ownAccount),
      run: (deck, place) => deck.updateCard(place, { archived: true }),
    }),

    change({
      name: 'deck_unarchive_card',
      title: 'Unarchive Deck Card',
      description: 'Restores a card from the archive.',
      input: z.object(onCard),
      effect: sets('card', ownAccount),
      run: (deck, place) => deck.updateCard(place, { archived: false }),
    }),

    change({
      name: 'deck_reorder_card',
      title: 'Reorder/Move Deck Card',
      description: 'Moves a card to a place in its stack or in another stack of the board.',
      input: z.object({
        ...onCard,
        order: order.describe('Place in the stack; small numbers come first'),
        target_stack_id: stackId.describe('Id of the stack that it goes to'),
      }),
      effect: moves('card', once),
      run: (deck, place, input) => deck.moveCard(place, input.target_stack_id, input.order),
    }),

    change({
      name: 'deck_assign_label_to_card',
      title: 'Assign Label to Deck Card',
      description: 'Puts a label of the board on a card. One that is on it stays.',
      input: z.object({ ...onCard, label_id: labelId }),
      effect: sets('card label', once),
      run: (deck, place, { label_id }) => deck.setLabel(place, label_id, true),
    }),

    change({
      name: 'deck_remove_label_from_card',
      title: 'Remove Label from Deck Card',
      description: 'Takes a label off a card. The label itself stays on the board.',
      input: z.object({ ...onCard, label_id: labelId }),
      effect: sets('card label', once),
      run: (deck, place, { label_id }) => deck.setLabel(place, label_id, false),
    }),

    change({
      name: 'deck_assign_user_to_card',
      title: 'Assign User to Deck Card',
      description: 'Assigns a user to a card. One who is assigned stays.',
      input: z.object({ ...onCard, user_id: userId }),
      effect: sets('card assignee', once),
      run: (deck, place, { user_id }) => deck.setAssignee(place, user_id, true),
    }),

    change({
      name: 'deck_unassign_user_from_card',
      title: 'Unassign User from Deck Card',
      description: 'Takes a user off a card; deck_assign_user_to_card assigns them again.',
      input: z.object({ ...onCard, user_id: userId }),
      effect: deletes('card assignee', { ...once, reversible: true }),
      run: (deck, place, { user_id }) => deck.setAssignee(place, user_id, false),
    }),
  ];
}
