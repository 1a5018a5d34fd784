import type { EndpointName } from '@lilac/contract/endpoints';

export interface Told {
  action: string;
  subject: string | null;
}

/** What somebody does through one endpoint, for the test that every change is told. */
export interface Deed {
  /** What is there before it is done. */
  prepare?: () => Promise<object>;
  /** Does it, with what was prepared; answers what the activity must say. */
  act: (prepared: any) => Promise<Told>; // oxlint-disable-line typescript/no-explicit-any -- whatever was prepared
}

export type Deeds = Partial<Record<EndpointName, Deed>>;

/** Is in every value that is sent; no entry may have it. */
export const SECRET = 'S3CR3T-VALUE';
