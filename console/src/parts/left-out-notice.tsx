import { describeIgnored, describeSecrets } from '../lib/describe-left-out.ts';
import type { Dropped } from '../lib/dropped-file.ts';
import { Name } from './name.tsx';

/** Which files of a folder are not sent, and why. */
export function LeftOutNotice({ dropped }: { dropped: Dropped | null }) {
  if (!dropped || !('files' in dropped)) return null;
  const { leftOut } = dropped;
  const [secrets, ignored] = [describeSecrets(leftOut), describeIgnored(leftOut)];
  if (secrets === null && ignored === null) return null;
  return (
    <div className={secrets === null ? 'stack' : 'notice notice-warning stack'} role="status">
      {secrets !== null && <p className="break">{secrets}</p>}
      {ignored !== null && <p className="hint break">{ignored}</p>}
      <details className="folded">
        <summary>All that is left out</summary>
        <ul className="break">
          {[...leftOut.secrets, ...leftOut.ignored].map((path) => (
            <li key={path}>
              <Name of={path} />
            </li>
          ))}
        </ul>
      </details>
    </div>
  );
}
