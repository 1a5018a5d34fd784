/** What an owner is told whose clients have every connection, also those that would be for reading all of it. */
export const CROWDED =
  'Clients have all connections of the database, so that it cannot be read. Let them open fewer, or give the database a larger tier.';
