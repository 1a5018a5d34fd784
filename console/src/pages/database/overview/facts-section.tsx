import { Section } from '../../../parts/section.tsx';
import { Time } from '../../../parts/time.tsx';
import { type Database, nameEngine, nameTier } from '../../databases/describe-database.ts';
import { useTiers } from '../../databases/use-tiers.ts';

export function FactsSection({ database }: { database: Database }) {
  const { tier, storage_gb, ha_enabled, public_ip_enabled, authorized_networks, created_at } = database;
  const tiers = useTiers();
  const networks = authorized_networks.length === 0 ? 'from anywhere' : `from ${authorized_networks.join(', ')}`;
  return (
    <Section title="About it">
      <dl className="facts">
        <dt>Engine</dt>
        <dd>{nameEngine(database)}</dd>
        <dt>Size</dt>
        <dd>
          {nameTier(tier, tiers)}, {storage_gb} GB of storage
        </dd>
        <dt>High availability</dt>
        <dd>{ha_enabled ? 'on: a second server takes over when the first one fails' : 'off'}</dd>
        <dt>Reached</dt>
        <dd className="break">{public_ip_enabled ? networks : 'by your own applications here only'}</dd>
        <dt>Created</dt>
        <dd>
          <Time at={created_at} />
        </dd>
      </dl>
    </Section>
  );
}
