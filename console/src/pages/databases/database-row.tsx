import { Link } from '../../lib/router.tsx';
import type { Folder } from '../../lib/use-folders.ts';
import { Badge } from '../../parts/badge.tsx';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Database, nameEngine, nameTier, type Tier } from './describe-database.ts';
import { Name } from '../../parts/name.tsx';
import { showMarks } from '../../lib/visible-name.ts';

interface DatabaseRowProps {
  database: Database;
  tiers: readonly Tier[];
  folders: readonly Folder[];
}

export function DatabaseRow({ database, tiers, folders }: DatabaseRowProps) {
  const { id, name, status, error, tier, storage_gb } = database;
  const folder = folders.find((each) => each.id === database.project_id);
  return (
    <li className="row">
      <div className="row-main">
        <Link href={`/databases/${encodeURIComponent(id)}`} className="database-name break">
          <Name of={name} />
        </Link>
        <p className="meta">
          {nameEngine(database)} · {nameTier(tier, tiers)} · {storage_gb} GB
        </p>
        {error && status !== 'healthy' && <p className="database-error meta">{showMarks(error)}</p>}
      </div>
      <div className="actions">
        {folder && <Badge>{showMarks(folder.name)}</Badge>}
        {database.ha_enabled && <Badge>high availability</Badge>}
        {!database.public_ip_enabled && <Badge>private</Badge>}
        <StatusBadge status={status} />
      </div>
    </li>
  );
}
