/** A header of a request that an endpoint heeds. None is required. */
export interface RequestHeader {
  name: string;
  description: string;
  example: string;
}

export const clientType: RequestHeader = {
  name: 'X-Client-Type',
  description:
    'With cli the refresh token comes in the answer; without, as browsers need it, only as an httpOnly cookie.',
  example: 'cli',
};

export const idempotencyKey: RequestHeader = {
  name: 'Idempotency-Key',
  description:
    'A text of your own, new for every refresh token. Whoever lost the answer repeats the call with the same one ' +
    'within a few seconds, and gets a new pair instead of 401.',
  example: '5c1f0c1e-6f0a-4c55-9f0e-0d7c2f3b8a11',
};

export const lastEventId: RequestHeader = {
  name: 'Last-Event-ID',
  description: 'The number of the last event that arrived: the stream goes on after it.',
  example: '4711',
};
