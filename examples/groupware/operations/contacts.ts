/** Address books and the contacts in them. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, ProblemError, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { StoredText } from '../backend.ts';
import { changeText } from '../calendar/entries.ts';
import type { ShownContact } from '../contact.ts';
import { changeContact, ContactData, showContact, writeContact } from '../contact.ts';
import { invalid } from '../refuse.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { etag, Removed, text } from './parameters.ts';

const READ = ['contacts:read'];
const WRITE = ['contacts:write'];

/** The caller names the new thing, and a name that is taken is refused. */
const namedByCaller = { ...ownAccount, repeat: 'end-state' } as const;

const ContactOut = z.object({
  uid: z.string(),
  fn: z.string(),
  nickname: z.string(),
  email: z.array(z.string()),
  tel: z.array(z.string()),
  org: z.string(),
  title: z.string(),
  url: z.string(),
  bday: z.string(),
  note: z.string(),
  categories: z.array(z.string()),
  etag,
});

const ID = /^[\w.-]+$/;
const bookId = text(200).regex(ID);
const addressbook = bookId.describe('Id of the address book: contacts');
const uid = text(200)
  .regex(/^[\w.@-]+$/)
  .describe('UID of the contact: letters, digits, ., @, _ and -');
const contactData = ContactData.describe('The fields of the contact');

export function contactOperations(groupware: Groupware): readonly Operation[] {
  return [
    declare(groupware, {
      name: 'nc_contacts_list_addressbooks',
      title: 'List Address Books',
      description: 'Lists the address books of the account.',
      input: z.object({}),
      output: z.object({
        addressbooks: z.array(z.object({ name: z.string(), display_name: z.string() })),
      }),
      effect: reads('address book', ownAccount),
      scopes: READ,
      run: async (_, { addressBooks }) => ({
        addressbooks: (await addressBooks.list()).map(({ id, display_name }) => ({
          name: id,
          display_name,
        })),
      }),
    }),

    declare(groupware, {
      name: 'nc_contacts_list_contacts',
      title: 'List Contacts',
      description:
        'Lists the contacts of an address book by name, with the etag that nc_contacts_update_contact takes.',
      input: z.object({ addressbook }),
      output: z.object({ contacts: z.array(ContactOut) }),
      effect: reads('contact', ownAccount),
      scopes: READ,
      run: async (input, { addressBooks }) => {
        const stored = await addressBooks.texts(input.addressbook);
        const contacts = stored.flatMap(toListed);
        return { contacts: contacts.toSorted((a, b) => (a.fn < b.fn ? -1 : 1)) };
      },
    }),

    declare(groupware, {
      name: 'nc_contacts_create_addressbook',
      title: 'Create Address Book',
      description: 'Creates an empty address book. A name that is taken is refused.',
      input: z.object({
        name: bookId.describe('Id of the new address book: letters, digits, ., _ and -'),
        display_name: text(200).min(1).describe('Name that people see'),
      }),
      output: z.object({ name: z.string(), display_name: z.string() }),
      effect: creates('address book', namedByCaller),
      scopes: WRITE,
      run: async (input, { addressBooks }) => {
        const { name, display_name } = input;
        await addressBooks.create(name, { display_name, description: '', color: '' });
        return input;
      },
    }),

    declare(groupware, {
      name: 'nc_contacts_delete_addressbook',
      title: 'Delete Address Book',
      description: 'Permanently deletes an address book with all its contacts.',
      input: z.object({ name: bookId.describe('Id of the address book') }),
      output: Removed,
      effect: deletes('address book', ownAccount),
      scopes: WRITE,
      run: async ({ name }, { addressBooks }) => ({ deleted: await addressBooks.remove(name) }),
    }),

    declare(groupware, {
      name: 'nc_contacts_create_contact',
      title: 'Create Contact',
      description: 'Creates a contact under a UID of your choice. A UID that is taken is refused.',
      input: z.object({ addressbook, uid, contact_data: contactData }),
      output: ContactOut,
      effect: creates('contact', namedByCaller),
      scopes: WRITE,
      produces: ['contact'],
      run: async (input, { addressBooks }) => {
        if (input.contact_data.fn === undefined) {
          throw invalid('/contact_data/fn', 'A new contact needs a full name.');
        }
        const card = writeContact(input.uid, input.contact_data);
        const tag = await addressBooks.put(input.addressbook, input.uid, card, 'new');
        return toOut(showContact(card), tag);
      },
    }),

    declare(groupware, {
      name: 'nc_contacts_delete_contact',
      title: 'Delete Contact',
      description: 'Permanently deletes a contact.',
      input: z.object({ addressbook, uid }),
      output: Removed,
      effect: deletes('contact', ownAccount),
      scopes: WRITE,
      run: async (input, { addressBooks }) => ({
        deleted: await addressBooks.removeText(input.addressbook, input.uid),
      }),
    }),

    declare(groupware, {
      name: 'nc_contacts_update_contact',
      title: 'Update Contact',
      description:
        'Changes fields of a contact; what is left out stays as it is. With the etag from nc_contacts_list_contacts it fails if the contact has changed since then, because the etag is stale. Without an etag the latest version is changed.',
      input: z.object({
        addressbook,
        uid,
        contact_data: contactData,
        etag: text(200)
          .default('')
          .describe('The etag from nc_contacts_list_contacts; empty for any'),
      }),
      output: ContactOut,
      effect: updates('contact', { ...ownAccount, repeat: 'version-optional' }),
      scopes: WRITE,
      run: async (input, { addressBooks }) => {
        const stored = await changeText(addressBooks, {
          collection: input.addressbook,
          uid: input.uid,
          what: 'contact',
          etag: input.etag === '' ? undefined : input.etag,
          change: (before) => changeContact(before, input.contact_data),
        });
        return toOut(showContact(stored.text), stored.etag);
      },
    }),
  ];
}

/** A contact that cannot be read hides no others. */
function toListed({ text: card, etag: tag }: StoredText): readonly z.infer<typeof ContactOut>[] {
  try {
    return [toOut(showContact(card), tag)];
  } catch (error) {
    if (error instanceof ProblemError) return [];
    throw error;
  }
}

function toOut(contact: ShownContact, tag: string): z.infer<typeof ContactOut> {
  const { email, tel, categories, ...rest } = contact;
  return { ...rest, email: [...email], tel: [...tel], categories: [...categories], etag: tag };
}
