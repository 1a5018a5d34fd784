import { connectAsPlatform } from './connect.ts';

/** One that is long forgotten was not committed a moment ago; that is all anybody asks. */
export async function hasCommitted(home: string, transactionId: string): Promise<boolean> {
  await using session = await connectAsPlatform(home);
  const { rows } = await session.client.query<{ status: string | null }>(
    'select pg_catalog.pg_xact_status($1::text::xid8) as status',
    [transactionId],
  );
  return rows[0]?.status === 'committed';
}
