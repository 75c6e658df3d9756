import { describe, expect, it } from 'vitest';
import { inferEffect } from './infer-effect.ts';

function asks(name: string, ...keys: readonly string[]): boolean {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]));
  return inferEffect({ name, inputSchema: { type: 'object', properties } }).asks;
}

describe('parameters show that something is only written down', () => {
  it('an event that is counted reaches and pays nobody', () => {
    expect(asks('send_event', 'name', 'anonymous_id')).toBe(false);
    expect(asks('send_purchase', 'value', 'currency', 'user_properties')).toBe(false);
    expect(asks('send_refund', 'transaction_id', 'distinct_id')).toBe(false);
    expect(asks('send_event', 'name', 'user_id')).toBe(true);
    expect(asks('send_event', 'anonymous_id', 'recipient')).toBe(true);
    expect(asks('send_offer', 'distinct_id', 'email')).toBe(true);
    expect(asks('refund_purchase', 'user_properties')).toBe(true);
  });

  it.each([
    ['send_payment', 'anonymous_id', 'value'],
    ['submit_order', 'user_properties', 'lines'],
    ['submit_purchase', 'user_properties', 'sku'],
    ['send_push', 'distinct_id', 'count'],
    ['post_tweet', 'measurement_id', 'lang'],
    ['send_email', 'user_properties', 'lang'],
    ['send_purchase', 'anonymous_id', 'amount'],
    ['send_event', 'anonymous_id', 'title'],
    ['send_event', 'anonymous_id', 'content'],
    ['send_event', 'anonymous_id', 'html'],
    ['send_event', 'anonymous_id', 'address'],
    ['send_event_invitation', 'anonymous_id', 'name'],
  ])('%s {%s, %s} is more than counted', (...words) => {
    const [name, ...keys] = words;
    expect(asks(name, ...keys)).toBe(true);
  });

  it('an event that the description says is paid or delivered is more than counted', () => {
    const inputSchema = { type: 'object', properties: { anonymous_id: {}, name: {} } };
    const told = (description: string): boolean =>
      inferEffect({ name: 'send_purchase', description, inputSchema }).asks;
    expect(told('Sends a purchase event')).toBe(false);
    expect(told('Sends a purchase and charges the card')).toBe(true);
    expect(told('Sends a message about the purchase to the customer')).toBe(true);
  });

  it('a call that was made is not made again', () => {
    expect(asks('create_call', 'title', 'outcome')).toBe(false);
    expect(asks('create_call', 'title')).toBe(true);
    expect(asks('create_call', 'duration', 'phone_number')).toBe(true);
    expect(asks('create_call', 'duration', 'assistant_id')).toBe(true);
    expect(asks('create_email', 'email_direction', 'text')).toBe(false);
    expect(asks('create_email', 'email_direction', 'to')).toBe(true);
    expect(asks('create_call', 'contact_id', 'max_duration')).toBe(true);
    expect(asks('create_call', 'contact_id', 'duration')).toBe(true);
    expect(asks('create_meeting_call', 'participants', 'duration')).toBe(true);
    expect(asks('create_call', 'participants', 'outcome')).toBe(true);
  });

  it('a conversation that is opened says nothing yet', () => {
    expect(asks('create_dm', 'user_id')).toBe(false);
    expect(asks('create_dm', 'user_id', 'content')).toBe(true);
    expect(asks('create_dm')).toBe(true);
    expect(asks('send_dm', 'user_id')).toBe(true);
  });

  it('a picture that is placed is made by no model', () => {
    expect(asks('create_image', 'data', 'x', 'y')).toBe(false);
    expect(asks('create_image', 'prompt', 'x', 'y')).toBe(true);
    expect(asks('create_image', 'data')).toBe(true);
  });

  it('a role has a name before anybody has it', () => {
    expect(asks('create_role', 'realm', 'role_name', 'description')).toBe(false);
    expect(asks('create_role', 'name', 'permissions')).toBe(true);
    expect(asks('create_role', 'name', 'user_id')).toBe(true);
    expect(asks('create_role', 'name', 'password')).toBe(true);
    expect(asks('create_role')).toBe(true);
    expect(asks('create_user_role', 'user_id', 'role_id')).toBe(true);
  });
});

describe('an id and a name', () => {
  it('rename what they are of', () => {
    expect(asks('update_role', 'role_id', 'role_name', 'environment')).toBe(false);
    expect(asks('update_subscription', 'id', 'display_name')).toBe(false);
  });

  it.each([
    ['update_subscription', 'subscription_id', 'plan_name'],
    ['update_plan', 'account_id', 'plan_name'],
    ['update_owner', 'project_id', 'owner_name'],
    ['edit_order', 'order_id', 'product_name'],
    ['update_member_permissions', 'member_id', 'permission_name'],
    ['update_role', 'user_id', 'name'],
  ])('%s {%s, %s} chooses another one, and asks', (...words) => {
    const [name, ...keys] = words;
    expect(asks(name, ...keys)).toBe(true);
  });
});
