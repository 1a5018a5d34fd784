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
