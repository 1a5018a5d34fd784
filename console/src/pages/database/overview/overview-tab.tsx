import type { Database } from '../../databases/describe-database.ts';
import { ConnectionSection } from './connection-section.tsx';
import { FactsSection } from './facts-section.tsx';
import { LinksSection } from './links-section.tsx';
import { UsageSection } from './usage-section.tsx';

export function OverviewTab({ database }: { database: Database }) {
  return (
    <>
      <FactsSection database={database} />
      <ConnectionSection database={database} />
      <LinksSection database={database} />
      <UsageSection database={database} />
    </>
  );
}
