import { DatabaseSync } from 'node:sqlite';

import { afterAll, beforeAll, describe, expect, it } from 'vitest';

import { SCHEMA } from './schema.ts';

const db = new DatabaseSync(':memory:');

beforeAll(() => {
  db.exec(SCHEMA);
  db.exec(`
    INSERT INTO organisations VALUES ('o', 'Maker', 'maker.example');
    INSERT INTO brands VALUES ('b', 'o', 'Brand');
    INSERT INTO products VALUES ('09506000134352', 'b', 'Tea', NULL, NULL, '1 g', '10000119', 'Tea',
      NULL, NULL, NULL, NULL, NULL, 0.5, '{}', 0, 'unclaimed');
    INSERT INTO resolver_rules (id, scope, gtin14, order_index, destination_type, custom_url, is_down,
      when_down, annual_from, annual_to)
    VALUES ('r', 'product', '09506000134352', 10, 'CUSTOM_URL', 'https://maker.example', 0, 'skip',
      '11-15', '02-29');
    INSERT INTO user_actions VALUES
      (1, '2026-07-15T12:00:00Z', 'ada', 'qr_url.generated', '09506000134352', 'https://id.example');`);
});

afterAll(() => db.close());

describe('the tables', () => {
  it.each([
    ['a user action that is taken back', 'DELETE FROM user_actions', /only added/],
    ['a user action that is rewritten', `UPDATE user_actions SET user = 'eve'`, /only added/],
    ['a product without its brand', `UPDATE products SET brand_id = 'nobody'`, /FOREIGN KEY/],
    ['a brand taken from its products', 'DELETE FROM brands', /FOREIGN KEY/],
    ['a GTIN with letters', `UPDATE products SET gtin14 = 'ABCDEFGHIJKLMN'`, /CHECK/],
    ['a score that is text', `UPDATE products SET confidence_score = 'high'`, /cannot store TEXT/],
    ['a rule of no known scope', `UPDATE resolver_rules SET scope = 'galaxy'`, /CHECK/],
    [
      'a rule bound to two things',
      `UPDATE resolver_rules SET brand_id = (SELECT id FROM brands), organisation_id = (SELECT id FROM organisations)`,
      /CHECK/,
    ],
    [
      'a product rule with a lot',
      `UPDATE resolver_rules SET qualifier = 'X' WHERE scope = 'product'`,
      /CHECK/,
    ],
    [
      'a destination without encryption',
      `UPDATE resolver_rules SET custom_url = 'http://x.example' WHERE custom_url IS NOT NULL`,
      /CHECK/,
    ],
    [
      'a script as destination',
      `UPDATE resolver_rules SET custom_url = 'javascript:1' WHERE custom_url IS NOT NULL`,
      /CHECK/,
    ],
    ['a window that is no date', `UPDATE resolver_rules SET absolute_from = 'soon'`, /CHECK/],
    ['half a season', `UPDATE resolver_rules SET annual_to = NULL`, /CHECK/],
    [
      'hours that never are',
      `UPDATE resolver_rules SET hours_from = '09:00', hours_to = '09:00'`,
      /CHECK/,
    ],
  ])('refuse %s', (_what, sql, message) => {
    expect(() => db.exec(sql)).toThrow(message);
  });
});
