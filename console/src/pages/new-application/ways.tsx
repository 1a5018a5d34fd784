import { Link } from '../../lib/router.tsx';
import { Icon, type IconName } from '../../parts/icon.tsx';

const ways: readonly { from: string; title: string; about: string; icon: IconName }[] = [
  {
    from: 'repository',
    title: 'Repository',
    about: 'Built from a branch. Where its host is linked, every push is deployed by itself.',
    icon: 'repositories',
  },
  {
    from: 'zip',
    title: 'Zip or folder',
    about: 'What is on this computer: a zip, or a folder that is packed in the browser.',
    icon: 'folder',
  },
  {
    from: 'sample',
    title: 'Sample',
    about: 'A page of three files, to see how it goes. It is live in a few seconds.',
    icon: 'applications',
  },
];

/** Where it comes from; each has an address of its own. */
export function Ways({ chosen }: { chosen: string }) {
  const isChosen = ways.some(({ from }) => from === chosen);
  return (
    <nav aria-label="Where it comes from" className={isChosen ? 'new-ways new-ways-small' : 'new-ways'}>
      {ways.map(({ from, title, about, icon }) => (
        <Link
          key={from}
          href={`/new?from=${from}`}
          className="card new-way"
          aria-current={from === chosen ? 'step' : undefined}
        >
          <Icon name={icon} /> <span className="new-way-title">{title}</span>
          <span className="new-way-about">{about}</span>
        </Link>
      ))}
    </nav>
  );
}
