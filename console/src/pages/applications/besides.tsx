import { Link } from '../../lib/router.tsx';
import { useIsOwner, usePermission } from '../../shell/member-context.ts';

/** What one does on the first day, besides deploying. */
export function Besides() {
  const isOwner = useIsOwner();
  const mayCreateKeys = usePermission('update:organisations');
  return (
    <section className="card" aria-labelledby="besides">
      <h2 id="besides">Besides, you can</h2>
      <ul className="next">
        {isOwner && (
          <li>
            <Link href="/members">Invite the people</Link> you work with.
          </li>
        )}
        {mayCreateKeys && (
          <li>
            <Link href="/keys">Create an API key</Link> for your scripts.
          </li>
        )}
        <li>
          <Link href="/account">Add a second factor</Link> to your account.
        </li>
      </ul>
    </section>
  );
}
