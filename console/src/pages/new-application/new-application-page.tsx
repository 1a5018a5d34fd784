import './new-application.css';
import { ownValue } from '../../lib/own-value.ts';
import { useQuery } from '../../lib/router.tsx';
import { AllowedOnly } from '../../parts/allowed-only.tsx';
import { Page } from '../../parts/page.tsx';
import { usePermission } from '../../shell/member-context.ts';
import { FromRepository } from './from-repository.tsx';
import { FromSample } from './from-sample.tsx';
import { FromZip } from './from-zip.tsx';
import { TerminalWay } from './terminal-way.tsx';
import { Ways } from './ways.tsx';

const abouts: Record<string, string> = {
  repository: 'Built from a branch, and again with every push where the host tells of them.',
  zip: 'What is on this computer: a zip, or a folder that is packed here in the browser.',
  sample: 'A small site, to see how it goes. You can delete it afterwards.',
};

const crumbs = [{ href: '/', label: 'Applications' }];

export function NewApplicationPage() {
  const [way] = useQuery('from');
  const about = ownValue(abouts, way);
  const mayCreate = usePermission('create:projects');
  return (
    <Page title="New application" crumbs={crumbs} about={mayCreate && (about ?? 'Where does it come from?')}>
      <AllowedOnly
        isAllowed={mayCreate}
        notice="Your role lets you look only. An owner or an admin of the organisation can deploy."
      >
        <Ways chosen={way} />
        {way === 'repository' && <FromRepository />}
        {way === 'zip' && <FromZip />}
        {way === 'sample' && <FromSample />}
        {!about && <TerminalWay />}
      </AllowedOnly>
    </Page>
  );
}
