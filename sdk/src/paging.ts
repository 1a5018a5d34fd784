import type { CallInput, Client } from '@lilac/contract/client';
import type { EndpointName } from '@lilac/contract/endpoints';
import type { Output } from './resources.ts';

/** The endpoints that answer page by page. */
export type PageName = {
  [Name in EndpointName]: Output<Name> extends { items: unknown[]; totalPages: number } ? Name : never;
}[EndpointName];

export type Page<Name extends PageName> = Output<Name>;
export type Item<Name extends PageName> = Output<Name>['items'][number];

type BodyWithoutPage<Name extends PageName> = Omit<NonNullable<CallInput<Name>['body']>, 'page'>;

/** As for a call, without the number of the page. A page has 100 items where no limit is given. */
export type PageInput<Name extends PageName> = Omit<CallInput<Name>, 'body'> &
  (object extends BodyWithoutPage<Name> ? { body?: BodyWithoutPage<Name> } : { body: BodyWithoutPage<Name> });

export type PageArguments<Name extends PageName> =
  object extends PageInput<Name> ? [input?: PageInput<Name>] : [input: PageInput<Name>];

const LARGEST_PAGE = 100;

/** Every page, asked for when it is wanted. */
export async function* readPages<Name extends PageName>(
  client: Client,
  name: Name,
  input: PageInput<Name> | undefined,
): AsyncGenerator<Page<Name>, void, undefined> {
  for (let page = 1; ; page++) {
    const body = { limit: LARGEST_PAGE, ...input?.body, page };
    const answer = await client.call(name, ...([{ ...input, body }] as never));
    yield answer;
    if (page >= answer.totalPages) return;
  }
}

/** What is added meanwhile moves the rest on: an item that comes on two pages in a row is told once. */
export async function* readItems<Name extends PageName>(
  client: Client,
  name: Name,
  input: PageInput<Name> | undefined,
): AsyncGenerator<Item<Name>, void, undefined> {
  let before = new Set<unknown>();
  for await (const { items } of readPages(client, name, input)) {
    const known = before;
    before = new Set(items.map(idOf).filter((id) => id !== undefined));
    yield* items.filter((item) => !known.has(idOf(item)));
  }
}

/** Rows of a person's table may have any columns; only things of the platform are known by their id. */
function idOf(item: object): unknown {
  const { id } = item as { id?: unknown };
  return typeof id === 'string' && /^[a-z]+_/.test(id) ? id : undefined;
}
