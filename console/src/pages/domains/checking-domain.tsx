import { stepsOf } from '@lilac/contract/domain-steps';

const served = stepsOf({ domain: '', dns_verified: true, certificate_status: 'issued', error: null });

/** It takes the room of what comes in its place where all is well, so that nothing below moves then. */
export function CheckingDomain() {
  return (
    <>
      <p className="meta" role="status">
        Checking…
      </p>
      <ol className="steps domain-to-come" aria-hidden="true">
        {served.map(({ title }) => (
          <li key={title} className="step">
            {title}
          </li>
        ))}
      </ol>
    </>
  );
}
