import { Link } from '../../lib/router.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';

const ways: readonly { from: string; title: string; icon: IconName }[] = [
  { from: 'repository', title: 'Repository', icon: 'repositories' },
  { from: 'zip', title: 'Zip or folder', icon: 'folder' },
  { from: 'sample', title: 'Sample', icon: 'applications' },
];

/** Where it comes from; each has an address of its own. */
export function Ways({ chosen }: { chosen: string }) {
  return (
    <nav aria-label="Where it comes from" className="new-ways">
      {ways.map(({ from, title, icon }) => (
        <Link
          key={from}
          href={`/new?from=${from}`}
          className="card new-way"
          aria-current={from === chosen ? 'step' : undefined}
        >
          <Icon name={icon} /> {title}
        </Link>
      ))}
    </nav>
  );
}
