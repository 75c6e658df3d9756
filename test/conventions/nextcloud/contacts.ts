/** Nextcloud's address book and contact tools. */
import type { Declaration } from 'plimsoll';
import { creates, deletes, reads, updates } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['contacts:read'];
const WRITE = ['contacts:write'];

/** The caller names the new thing, and a name that is taken is refused. */
const namedByCaller = { ...ownAccount, repeat: 'end-state' } as const;

export const contacts: readonly Declaration[] = [
  declare(
    'nc_contacts_list_addressbooks',
    'List Address Books',
    reads('address book', ownAccount),
    READ,
  ),
  declare('nc_contacts_list_contacts', 'List Contacts', reads('contact', ownAccount), READ),
  declare(
    'nc_contacts_create_addressbook',
    'Create Address Book',
    creates('address book', namedByCaller),
    WRITE,
  ),
  declare(
    'nc_contacts_delete_addressbook',
    'Delete Address Book',
    deletes('address book', ownAccount),
    WRITE,
  ),
  declare('nc_contacts_create_contact', 'Create Contact', creates('contact', namedByCaller), WRITE),
  declare('nc_contacts_delete_contact', 'Delete Contact', deletes('contact', ownAccount), WRITE),
  declare(
    'nc_contacts_update_contact',
    'Update Contact',
    updates('contact', { ...ownAccount, repeat: 'version-optional' }),
    WRITE,
  ),
];
