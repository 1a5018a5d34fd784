/** A header of an answer, besides those that every answer has. */
export interface ResponseHeader {
  name: string;
  description: string;
  example: string;
}

export const nextCursor: ResponseHeader = {
  name: 'X-Next-Cursor',
  description: 'What to send as `cursor` to get what comes after this page. Not there on the last one.',
  example: 'bDQ3MTE',
};

export const partial: ResponseHeader = {
  name: 'X-Partial',
  description:
    'There only when something of the list is missing: the accounts at the host whose part could not be read, with ' +
    'commas between them, each percent-encoded.',
  example: 'acme,zoo',
};

export const asOf: ResponseHeader = {
  name: 'X-As-Of',
  description:
    'There only when the host does not answer and an older answer of it is given: when that was read (RFC 3339, UTC).',
  example: '2026-11-16T03:00:00.000Z',
};
