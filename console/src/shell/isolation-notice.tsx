import { lackingIn } from '../lib/lacking-isolation.ts';
import { useCall } from '../lib/use-call.ts';
import { usePermission } from './member-context.ts';

/** For whoever may deploy: what they put here is less shut off than they may believe. It stays until that is mended. */
export function IsolationNotice() {
  return usePermission('create:projects') ? <Notice /> : null;
}

function Notice() {
  const lacking = lackingIn(useCall('config.platform', {}).data);
  if (lacking.length === 0) return null;
  return (
    <aside className="notice notice-warning from-shell" aria-label="Isolation">
      <details>
        <summary>
          <strong>Applications are not fully kept apart on this machine.</strong>
        </summary>
        <ul>
          {lacking.map((sentence) => (
            <li key={sentence}>{sentence}</li>
          ))}
        </ul>
        <p>
          Deploy only code you trust. Platform operators can find out what to do with <code>npx lilac doctor</code>.
        </p>
      </details>
    </aside>
  );
}
