import type { OutputOf } from '../../lib/api-types.ts';
import { hasCode } from '../../lib/has-code.ts';
import { useCall } from '../../lib/use-call.ts';
import { Badge } from '../../parts/badge.tsx';
import { ConfirmButton } from '../../parts/confirm-button.tsx';
import { Loading } from '../../parts/loading.tsx';
import { Section } from '../../parts/section.tsx';
import { Time } from '../../parts/time.tsx';
import { browserSession } from '../../session/browser-session.ts';
import { Name } from '../../parts/name.tsx';

type Device = OutputOf<'auth.sessions'>[number];

const kinds: Record<Device['kind'], string> = { browser: 'browser', cli: 'terminal', operator: 'operator' };

export function DevicesSection() {
  const devices = useCall('auth.sessions', { body: {} });
  return (
    <Section
      title="Connected devices"
      about="Everything signed in as you. Signing a device out takes effect within 15 minutes."
    >
      <Loading of={devices}>
        {(list) => (
          <>
            <ul className="rows">
              {list.map((device) => (
                <DeviceRow key={device.id} device={device} onSignedOut={devices.reload} />
              ))}
            </ul>
            <AllOthers devices={list.filter(({ current }) => !current)} onSignedOut={devices.reload} />
          </>
        )}
      </Loading>
    </Section>
  );
}

const revoke = ({ id }: Device) => browserSession.call('auth.sessions.revoke', { body: { sessionId: id } });

/** At once, for who has lost something or does not know one of them. */
function AllOthers({ devices, onSignedOut }: { devices: readonly Device[]; onSignedOut: () => void }) {
  const signOut = async () => {
    try {
      for (const device of devices) await revoke(device).catch(unlessGone);
    } finally {
      onSignedOut();
    }
  };
  if (devices.length < 2) return null;
  return (
    <div className="actions">
      <ConfirmButton
        action="Sign out all others"
        subject=""
        question={`Sign ${devices.length} other devices out?`}
        consequence="They stop working within 15 minutes. Then each has to be connected again before it can do anything. This one stays signed in."
        look="danger"
        onConfirm={signOut}
      />
    </div>
  );
}

/** One that has signed itself out meanwhile is as it should be. */
function unlessGone(error: unknown): void {
  if (!hasCode(error, 'NF001')) throw error;
}

function DeviceRow({ device, onSignedOut }: { device: Device; onSignedOut: () => void }) {
  const signOut = async () => {
    await revoke(device);
    onSignedOut();
  };
  return (
    <li className="row">
      <div className="row-main">
        <strong className="break">
          <Name of={device.device} />
        </strong>{' '}
        <Badge>{kinds[device.kind]}</Badge> {device.current && <Badge tone="good">this one</Badge>}
        <p className="meta break">
          {device.address ?? 'address unknown'} · signed in <Time at={device.created_at} /> · used{' '}
          <Time at={device.last_used_at} />
        </p>
      </div>
      {!device.current && (
        <ConfirmButton
          action="Sign out"
          subject={device.device}
          question={`Sign ${device.device} out?`}
          consequence="It stops working within 15 minutes. Then it has to be connected again before it can do anything."
          look="danger"
          onConfirm={signOut}
        />
      )}
    </li>
  );
}
