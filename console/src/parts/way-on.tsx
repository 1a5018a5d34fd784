import { Link } from '../lib/router.tsx';
import { useSession } from '../session/use-session.ts';

/** From a link that leads nowhere to where the person can go on. */
export function WayOn() {
  const isSignedIn = useSession().status === 'signed-in';
  return (
    <p>
      <Link href="/sign-in">{isSignedIn ? 'To the applications' : 'Sign in'}</Link>
    </p>
  );
}
