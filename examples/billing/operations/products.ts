/** Products and the plans that sell them. Plans change in the merchant's portal only. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, reads, sets, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { Product } from '../documents.ts';
import { found, invalid, refuse } from '../refusals.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, keyed, settled } from './facts.ts';
import { expand, given, page } from './reply.ts';
import {
  cents,
  createdBetween,
  currency,
  expandable,
  id,
  metadata,
  pageArguments,
  pageOf,
  sortBy,
  thing,
} from './schemas.ts';

const availability = z
  .enum(['in_stock', 'out_of_stock', 'preorder'])
  .describe('Whether it can be delivered');

const fields = {
  name: z.string().min(3).max(80).describe('What customers read'),
  description: z.string().min(3).max(2000).describe('What it is'),
  pricing: z
    .object({ amount: cents().describe('Price in cents'), currency })
    .describe('What one costs'),
  requires_shipping: z.boolean().describe('Whether an address is needed'),
  sku: z
    .string()
    .min(3)
    .max(30)
    .regex(/^[a-z0-9_-]+$/)
    .describe('Your own number for it; unique'),
  availability: availability.optional(),
  category: z.string().max(100).optional().describe('Where it is filed in the catalogue'),
  metadata: metadata.optional(),
};

export function productOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { objects } = store;
  const find = (owner: string, productId: string): Product =>
    found(objects.find(owner, 'product', productId), 'product', productId);
  const embed = (product: Product, wanted: string | undefined) => {
    const { images, ...rest } = product;
    return { ...rest, image_count: images.length, ...expand(wanted, { images: () => images }) };
  };
  const refuseSku = (owner: string, sku: string | undefined, except?: string): void => {
    if (sku === undefined) return;
    const taken = objects.all(owner, 'product', [{ field: 'sku', is: sku }]);
    if (taken.some((one) => one.id !== except)) invalid('sku', 'Another product has this sku.');
  };
  return [
    declare(shop, {
      name: 'create_product',
      title: 'Create product',
      description: 'Creates a product with its price.',
      input: z.object(fields),
      output: thing,
      effect: creates('product', keyed),
      run: (input, caller) =>
        caller.once(() => {
          refuseSku(caller.account, input.sku);
          const product = objects.add(caller.account, 'product', caller.at, {
            ...input,
            availability: input.availability ?? 'in_stock',
            metadata: input.metadata ?? {},
            images: [],
          });
          return embed(product, undefined);
        }),
    }),
    declare(shop, {
      name: 'list_products',
      title: 'List products',
      description: 'Lists products, newest first.',
      input: z.object({
        ...pageArguments,
        ...createdBetween,
        ...sortBy('created_at', 'name', 'sku'),
        availability: availability.optional(),
        category: z.string().max(100).optional().describe('Only this category'),
        q: z.string().max(100).optional().describe('Words in name or description'),
        ...expandable('images'),
      }),
      output: pageOf,
      effect: reads('product', account),
      run: ({ availability: state, category, q, expand: wanted, ...query }, caller) => {
        const filters = Object.entries({ availability: state, category }).flatMap(([field, is]) =>
          is === undefined ? [] : [{ field, is }],
        );
        const search = q === undefined ? undefined : { fields: ['name', 'description'], text: q };
        const cut = objects.list(caller.account, 'product', { ...query, filters, search });
        return page('/v1/products', cut, query, (one) => embed(one, wanted));
      },
    }),
    declare(shop, {
      name: 'get_product',
      title: 'Get product',
      description: 'Returns one product.',
      input: z.object({ id: id('product'), ...expandable('images') }),
      output: thing,
      effect: reads('product', account),
      run: (input, caller) => embed(find(caller.account, input.id), input.expand),
    }),
    declare(shop, {
      name: 'update_product',
      title: 'Update product',
      description:
        'Changes the fields of a product that are sent. A new price holds for later orders and cycles.',
      input: z.object({
        id: id('product'),
        name: fields.name.optional(),
        description: fields.description.optional(),
        pricing: fields.pricing.optional(),
        requires_shipping: fields.requires_shipping.optional(),
        sku: fields.sku.optional(),
        availability: fields.availability,
        category: fields.category,
        metadata: fields.metadata,
      }),
      output: thing,
      effect: updates('product', settled),
      run: ({ id: productId, ...changes }, caller) =>
        caller.once(() => {
          const before = find(caller.account, productId);
          refuseSku(caller.account, changes.sku, productId);
          if (
            changes.pricing !== undefined &&
            changes.pricing.currency !== before.pricing.currency
          ) {
            refuse(
              'field_locked',
              `It is sold in ${before.pricing.currency}; make another product.`,
            );
          }
          const next = given(changes) as Partial<Product>;
          return embed(
            objects.update(caller.account, 'product', productId, caller.at, next),
            undefined,
          );
        }),
    }),
    declare(shop, {
      name: 'delete_product',
      title: 'Delete product',
      description:
        'Deletes a product. Refused while an active plan or a running subscription sells it.',
      input: z.object({ id: id('product') }),
      output: thing,
      effect: deletes('product', settled),
      run: (input, caller) =>
        caller.once(() => {
          const { account: owner, at } = caller;
          const product = found(
            objects.find(owner, 'product', input.id, true),
            'product',
            input.id,
          );
          const plans = objects.all(owner, 'plan', [{ field: 'product_id', is: product.id }]);
          const isSold = objects
            .all(owner, 'subscription', [{ field: 'ended_at', is: null }])
            .some(({ products }) => products.some((line) => line.product_id === product.id));
          if (isSold || plans.some(({ active }) => active)) {
            refuse('product_in_active_plans', 'A plan or a subscription still sells it.');
          }
          objects.remove(owner, 'product', product.id, at);
          return embed(objects.get(owner, 'product', product.id), undefined);
        }),
    }),
    declare(shop, {
      name: 'delete_product_image',
      title: 'Delete product image',
      description: 'Removes an image from a product.',
      input: z.object({ product_id: id('product'), image_id: id('image') }),
      output: thing,
      effect: deletes('product image', settled),
      run: ({ product_id, image_id }, caller) =>
        caller.once(() => {
          const { images } = find(caller.account, product_id);
          const left = images.filter((image) => image.id !== image_id);
          const next = { images: left };
          return objects.update(caller.account, 'product', product_id, caller.at, next);
        }),
    }),
    declare(shop, {
      name: 'reorder_product_images',
      title: 'Reorder product images',
      description: 'Sets the order in which the images of a product are shown.',
      input: z.object({
        product_id: id('product'),
        image_ids: z.array(z.string().max(64)).min(1).max(100).describe('All images, in order'),
      }),
      output: thing,
      effect: sets('image order', account),
      run: ({ product_id, image_ids }, caller) =>
        store.atomically(() => {
          const { images } = find(caller.account, product_id);
          const ordered = image_ids.flatMap(
            (one) => images.find((image) => image.id === one) ?? [],
          );
          if (ordered.length !== images.length || new Set(image_ids).size !== images.length) {
            invalid('image_ids', 'Name every image of the product once.');
          }
          const next = { images: ordered };
          return objects.update(caller.account, 'product', product_id, caller.at, next);
        }),
    }),
    declare(shop, {
      name: 'list_plans',
      title: 'List plans',
      description: 'Lists the plans that customers can subscribe to.',
      input: z.object({
        ...pageArguments,
        ...sortBy('created_at', 'name', 'amount'),
        active: z.boolean().optional().describe('Only active ones, or only others'),
        search: z.string().max(100).optional().describe('Words in name, code or description'),
      }),
      output: pageOf,
      effect: reads('plan', account),
      run: ({ active, search: words, ...query }, caller) => {
        const filters = active === undefined ? [] : [{ field: 'active', is: active }];
        const search =
          words === undefined
            ? undefined
            : { fields: ['name', 'code', 'description'], text: words };
        const cut = objects.list(caller.account, 'plan', { ...query, filters, search });
        return page('/v1/plans', cut, query, (one) => one);
      },
    }),
    declare(shop, {
      name: 'get_plan',
      title: 'Get plan',
      description: 'Returns one plan with its price and interval.',
      input: z.object({ id: id('plan') }),
      output: thing,
      effect: reads('plan', account),
      run: (input, caller) =>
        found(objects.find(caller.account, 'plan', input.id), 'plan', input.id),
    }),
  ];
}
